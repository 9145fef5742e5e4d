"""Views of the parameters: table, formula, rule of thumb."""
