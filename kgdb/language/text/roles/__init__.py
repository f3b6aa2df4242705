"""The roles of the two ends of a relation, in its name and in sentences: who manages whom."""

from kgdb.language.text.roles.frames import Frame, frame_of, is_symmetric, joins_alike
from kgdb.language.text.roles.role_reading import Reading, read
from kgdb.language.text.roles.vocabulary import Role

__all__ = ["Frame", "Reading", "Role", "frame_of", "is_symmetric", "joins_alike", "read"]
