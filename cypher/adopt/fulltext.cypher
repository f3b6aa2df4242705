// As load_fulltext, over the properties that hold names.
CREATE FULLTEXT INDEX `%index%` IF NOT EXISTS FOR (e:`%label%`) ON EACH [`%properties%`]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}
