// `standard-folding` finds names and aliases whatever their case and diacritics.
CREATE FULLTEXT INDEX `%index%` IF NOT EXISTS FOR (e:`%label%`) ON EACH [e.name, e.aliases]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}
