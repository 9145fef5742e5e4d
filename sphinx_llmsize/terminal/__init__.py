"""Blocks as text for a terminal: tables with bars, diagrams, charts and formulas."""
