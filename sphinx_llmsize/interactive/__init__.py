"""Interactive views: what a page needs to compute a model's views again for other sizes."""
