"""What the product demonstrates and tests itself with; written for it, synthetic throughout."""
