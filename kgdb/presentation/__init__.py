"""Presentation that the terminal and the page share: amounts, comparisons, reasons, thoughts."""
