// Names that a full-text index cannot tell (signs, words like "and") are found as they are written.
CREATE RANGE INDEX `%index%` IF NOT EXISTS FOR (e:`%label%`) ON (e.name)
