"""The world outside: what is asked of it and told to it, with time-outs and limits."""
