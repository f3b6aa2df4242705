"""The laboratory: all that trains, measures, or reproduces. The product never imports it."""
