WITH * WHERE $chains[batch][`%step%`] = `%branch%`
MATCH (node)-[r:`%relation%`]->(other:`%label%`)
RETURN other, [elementId(node), type(r), elementId(other)] AS edge, count(*) AS parallels
