// The relations of one graph with their texts and counts, from the bookkeeping nodes alone.
MATCH (r:Relation {kg: $kg})
RETURN r.id AS id, r.count AS count, r.text AS text, r.inverse AS inverse,
       r.question AS question, r.inverse_question AS inverse_question,
       r.fan_out AS fan_out, r.fan_in AS fan_in,
       coalesce(r.mediator_heads, false) AS mediator_heads,
       coalesce(r.mediator_tails, false) AS mediator_tails,
       coalesce(r.headLabels, []) AS head_labels, coalesce(r.headCounts, []) AS head_counts,
       coalesce(r.tailLabels, []) AS tail_labels, coalesce(r.tailCounts, []) AS tail_counts
ORDER BY id
