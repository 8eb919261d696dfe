"""The rule engine from a shell: JSON in, JSON out, one file a concern."""
