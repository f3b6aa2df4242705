// The chain of this set is shorter than that of another.
WITH * WHERE $chains[batch][`%step%`] IS NULL
RETURN node AS other, null AS edge, 1 AS parallels
