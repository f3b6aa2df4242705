// Tests that the database runs statements.
RETURN true AS alive
