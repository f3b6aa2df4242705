// Every label that there is.
CALL db.labels() YIELD label RETURN collect(label) AS labels
