// Finds names by their exact text: a full-text index ignores signs and words like "and".
CREATE RANGE INDEX `%index%` IF NOT EXISTS FOR (e:`%label%`) ON (e.name)
