// The same, and the entities that each node with a name of its own may stand for, by its place.
UNWIND range(0, size($scripts) - 1) AS batch
CALL kgdb.got.run($scripts[batch], $config)
YIELD status, message, line, column, triples, nodes, relationships, executed
WITH *, [place IN range(0, size(nodes) - 1)
         WHERE any(key IN keys(nodes[place].properties)
                   WHERE nodes[place].properties[key] = nodes[place].name)] AS named
CALL (nodes, named) {
  CALL kgdb.entities.link($kg, [place IN named | nodes[place].name], null, $link)
  YIELD batch AS mention, id, name, cut
  RETURN collect([named[mention], id, name, cut]) AS entities
}
RETURN batch, status, message, line, column, triples, nodes, relationships, executed, entities
