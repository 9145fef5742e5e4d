"""View ``name``: which count of its parameters a released model is named after."""
