// The relations among the nodes with a label: how many relationships, and how many nodes they leave and
// reach; and how many lead to nodes without it.
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
       count(CASE WHEN reaching > 0 THEN 1 END) AS tails, sum(outside) AS outside
ORDER BY id
