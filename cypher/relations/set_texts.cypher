// Replaces the texts of relations; a text that is null is removed, and then made from the relation's name.
UNWIND $rows AS row
MATCH (r:Relation {kg: $kg, id: row.id})
SET r.text = row.text, r.inverse = row.inverse, r.question = row.question,
    r.inverse_question = row.inverse_question
RETURN count(*) AS written
