// The relations among the nodes with a label: the numbers of relationships, of different heads and tails, of
// relationships with a mediator at either end, and of relationships to nodes without the label.
MATCH (e:`%label%`)
CALL (e) {
  MATCH (e)-[r]->(other)
  RETURN type(r) AS id, count(CASE WHEN other:`%label%` THEN 1 END) AS leaving, 0 AS reaching,
         count(CASE WHEN NOT other:`%label%` THEN 1 END) AS outside
  UNION ALL
  MATCH (e)<-[r]-(other)
  RETURN type(r) AS id, 0 AS leaving, count(CASE WHEN other:`%label%` THEN 1 END) AS reaching,
         count(CASE WHEN NOT other:`%label%` THEN 1 END) AS outside
}
RETURN id, sum(leaving) AS count, count(CASE WHEN leaving > 0 THEN 1 END) AS heads,
       count(CASE WHEN reaching > 0 THEN 1 END) AS tails, sum(outside) AS outside,
       sum(CASE WHEN e:Mediator THEN leaving ELSE 0 END) AS mediator_heads,
       sum(CASE WHEN e:Mediator THEN reaching ELSE 0 END) AS mediator_tails
ORDER BY id
