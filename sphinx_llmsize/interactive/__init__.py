"""Interactive views: expressions from which a page computes a model's views for other sizes."""
