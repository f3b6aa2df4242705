// `standard-folding` finds names and aliases in any case and with any diacritics.
CREATE FULLTEXT INDEX `%index%` IF NOT EXISTS FOR (e:`%label%`) ON EACH [e.name, e.aliases]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}
