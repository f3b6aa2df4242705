"""Graphs as pictures: SVG that needs no script, no style and no other file."""

from kgdb.drawing.path_drawing import FILLS, LINES, MAX_FACTS, Drawing, draw, sides_of
from kgdb.drawing.schema_drawing import draw_schema

__all__ = ["FILLS", "LINES", "MAX_FACTS", "Drawing", "draw", "draw_schema", "sides_of"]
