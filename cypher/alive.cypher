// Whether the database runs statements at all.
RETURN true AS alive
