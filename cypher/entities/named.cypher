// Candidates for the names in texts, a record for each text: by its phrases, and where none of
// these is a whole name, by its words with a letter wrong. Other names of theirs are told unless they are
// much longer than the phrase, or many; a property of these is one text or a list.
UNWIND range(0, size($phrases) - 1) AS text
CALL (text) {
  UNWIND range(0, size($phrases[text]) - 1) AS query
  CALL db.index.fulltext.queryNodes($index, $phrases[text][query], {limit: $limit})
  YIELD node, score
  WITH query, `%id(node)%` AS id,
       `%name(node)%` AS name, score,
       [alias IN reduce(all = [], property IN $aliasProperties | all + coalesce(node[property], []))
        WHERE size(toString(alias)) <= 2 * size($phrases[text][query]) | toString(alias)] AS aliases
  ORDER BY query, score DESC, id
  RETURN collect({query: query, id: id, name: name, aliases: aliases, score: score}) AS exact
}
CALL (text, exact) {
  WITH text, exact
  WHERE $misspelt[text] IS NOT NULL
    // A phrase stands in quotation marks.
    AND none(row IN exact WHERE toLower(substring($phrases[text][row.query], 1, size($phrases[text][row.query]) - 2))
          IN [name IN [row.name] + row.aliases | toLower(name)])
  CALL db.index.fulltext.queryNodes($index, $misspelt[text], {limit: $misspeltLimit})
  YIELD node, score
  WITH `%id(node)%` AS id,
       `%name(node)%` AS name, score,
       [alias IN reduce(all = [], property IN $aliasProperties | all + coalesce(node[property], []))[..100]
        | toString(alias)] AS aliases
  ORDER BY score DESC, id
  RETURN collect({id: id, name: name, aliases: aliases, score: score}) AS misspelt
}
RETURN exact, misspelt
