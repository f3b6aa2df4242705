WITH * WHERE $chains[batch][`%step%`] = `%branch%`
MATCH (node)<-[r:`%relation%`]-(other:`%label%`)
RETURN other, [elementId(other), type(r), elementId(node)] AS edge, count(*) AS parallels
