// A sample of the relationships of a type: how many are in the graph, how many lead out of it, the
// numbers of different heads and tails, and of relationships with a mediator at either end. Of a
// part of them, a head counts for one in all of its relationships together.
MATCH (head`%from%`)-[:`%type%`]->(tail)
WITH head, tail LIMIT $sample
WITH head, tail, head:`%label%` AS starts, tail:`%label%` AS ends
RETURN count(*) AS sampled, count(CASE WHEN starts AND ends THEN 1 END) AS inside,
       count(CASE WHEN starts <> ends THEN 1 END) AS outside,
       count(DISTINCT CASE WHEN starts AND ends THEN head END) AS all_heads,
       count(DISTINCT CASE WHEN starts AND ends THEN tail END) AS all_tails,
       sum(CASE WHEN starts AND ends THEN 1.0 / COUNT { (head)-[:`%type%`]->() } END) AS heads,
       sum(CASE WHEN starts AND ends THEN 1.0 / COUNT { ()-[:`%type%`]->(tail) } END) AS tails,
       count(CASE WHEN starts AND ends AND head:Mediator THEN 1 END) AS mediator_heads,
       count(CASE WHEN starts AND ends AND tail:Mediator THEN 1 END) AS mediator_tails
