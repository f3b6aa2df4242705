// How many nodes there are, of anybody: the store keeps the number.
MATCH (n) RETURN count(n) AS nodes
