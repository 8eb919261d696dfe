"""Reads that join; no writes."""
