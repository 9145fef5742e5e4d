"""Built pages as Chromium shows them."""
