// The number of nodes with any of the labels. Only the index over labels is read.
MATCH (e:`%label%`) RETURN count(*) AS nodes
