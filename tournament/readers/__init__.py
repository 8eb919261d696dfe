"""Files in: bytes to rows or problems, no database."""
