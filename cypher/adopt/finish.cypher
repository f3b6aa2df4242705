// Writes the bookkeeping of an adopted graph in one statement. Texts of its relations stay.
MATCH (g:KnowledgeGraph {name: $name})
SET g += $properties
WITH g, [row IN $relations | row.id] AS ids
CALL (g, ids) {
  MATCH (old:Relation {kg: g.name}) WHERE NOT old.id IN ids
  DELETE old
  RETURN count(*) AS gone
}
UNWIND $relations AS row
MERGE (r:Relation {kg: $name, id: row.id})
SET r.count = row.count, r.fan_out = row.fan_out, r.fan_in = row.fan_in,
    r.mediator_heads = row.mediator_heads, r.mediator_tails = row.mediator_tails,
    r.headLabels = row.headLabels, r.headCounts = row.headCounts,
    r.tailLabels = row.tailLabels, r.tailCounts = row.tailCounts
