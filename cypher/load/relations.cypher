// Writes the bookkeeping nodes of all relations, and deletes those of an earlier source of that name.
// Locking as in load_note.
CALL () {
  MATCH (old:Relation {kg: $name}) WHERE NOT old.id IN $ids
  DELETE old
  RETURN count(*) AS gone
}
UNWIND $rows AS row
MERGE (r:Relation {kg: $name, id: row.id})
SET r = row, r.kg = $name
WITH count(*) AS written
MATCH (g:KnowledgeGraph {name: $name})
SET g.written = g.written + written
WITH g, written WHERE g.load = $load
RETURN written
