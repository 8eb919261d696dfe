"""The desk for programs, under /api/v1/: one file a stage, thin doors to the services that the pages call."""
