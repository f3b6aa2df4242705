// Candidates for the names in texts, a record for each text: by its phrases, and where none of
// these is a whole name, by its words with a letter wrong.
UNWIND range(0, size($phrases) - 1) AS text
CALL (text) {
  UNWIND range(0, size($phrases[text]) - 1) AS query
  CALL db.index.fulltext.queryNodes($index, $phrases[text][query], {limit: $limit})
  YIELD node, score
  WITH query, toString(node[$idProperty]) AS id,
       toString(coalesce(node[$nameProperty], node[$idProperty])) AS name, score
  ORDER BY query, score DESC, id
  RETURN collect({query: query, id: id, name: name, score: score}) AS exact
}
CALL (text, exact) {
  WITH text, exact
  WHERE $misspelt[text] IS NOT NULL
    // A phrase stands in quotation marks.
    AND none(row IN exact WHERE toLower(row.name) = toLower(
          substring($phrases[text][row.query], 1, size($phrases[text][row.query]) - 2)))
  CALL db.index.fulltext.queryNodes($index, $misspelt[text], {limit: $misspeltLimit})
  YIELD node, score
  WITH toString(node[$idProperty]) AS id,
       toString(coalesce(node[$nameProperty], node[$idProperty])) AS name, score
  ORDER BY score DESC, id
  RETURN collect({id: id, name: name, score: score}) AS misspelt
}
RETURN exact, misspelt
