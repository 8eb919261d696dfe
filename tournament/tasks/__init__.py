"""Long work by its kind: each takes a job's row and calls one service."""
