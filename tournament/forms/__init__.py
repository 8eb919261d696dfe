"""What is typed into pages, read and refused."""
