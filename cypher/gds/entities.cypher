// The entities that Graph Data Science calls by numbers, in the order given; null for a number of none.
UNWIND range(0, size($numbers) - 1) AS place
WITH place, gds.util.asNode($numbers[place]) AS node
RETURN place, `%id(node)%` AS id,
       `%name(node)%` AS name
ORDER BY place
