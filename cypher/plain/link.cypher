// Candidates of kgdb.entities.link without the plugin; they are compared with the mentions outside.
UNWIND $asked AS asked
CALL (asked) {
  UNWIND asked.ids AS text
  MATCH (e:`%label%`) WHERE `%key(e)%` = text
  RETURN e, 'text' AS found
  UNION ALL
  `%named%`
  UNWIND asked.queries AS query
  CALL db.index.fulltext.queryNodes($fulltext, query, {limit: $candidates}) YIELD node AS e
  RETURN e, 'index' AS found
  UNION ALL
  UNWIND CASE WHEN asked.near THEN [asked.vector] ELSE [] END AS vector
  CALL db.index.vector.queryNodes($embeddings, $candidates, vector) YIELD node AS e
  RETURN e, 'vector' AS found
}
RETURN asked.batch AS batch, found, elementId(e) AS node,
       `%id(e)%` AS id,
       `%name(e)%` AS name,
       [key IN $fields | e[key]] AS names, e.pagerank AS prior,
       e:`%label%` AND NOT e:Mediator AND NOT e:Literal
         AND ($labels = [] OR any(label IN labels(e) WHERE label IN $labels)) AS meant,
       CASE WHEN size(e.embedding) = size(asked.vector) THEN
         CASE WHEN $euclidean THEN vector.similarity.euclidean(e.embedding, asked.vector)
              ELSE vector.similarity.cosine(e.embedding, asked.vector) END
       END AS vectorScore
