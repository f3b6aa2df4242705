// `standard-folding` finds names whatever their case and diacritics.
CREATE FULLTEXT INDEX `%index%` IF NOT EXISTS FOR (e:`%label%`) ON EACH [e.name]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}
