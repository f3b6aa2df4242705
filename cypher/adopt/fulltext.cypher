// Like load_fulltext, over the properties with names.
CREATE FULLTEXT INDEX `%index%` IF NOT EXISTS FOR (e:`%label%`) ON EACH [`%properties%`]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}
