"""Pure functions from values to pictures."""
