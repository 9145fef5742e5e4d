"""Blocks for a terminal: tables with bars, pipelines and charts of characters, formulas as text."""
