WITH * WHERE $chains[batch][`%step%`] = `%branch%`
MATCH (node)-[r`%followed%`]->(other:`%label%`)
RETURN other, [elementId(node), type(r), elementId(other)] AS edge, count(*) AS parallels
