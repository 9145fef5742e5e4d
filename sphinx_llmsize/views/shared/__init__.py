"""What the views have in common: how shapes, numbers, sums and lengths are written."""
