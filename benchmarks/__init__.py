"""Measurements; nothing here is imported by the product."""
