"""The views of what is learned: the table, the formula, the rule of thumb."""
