"""Random values beyond the usual keys, for the families that need them."""
