WITH * WHERE $chains[batch][`%step%`] = `%branch%`
MATCH (node)<-[r`%followed%`]-(other:`%label%`)
RETURN other, [elementId(other), type(r), elementId(node)] AS edge, count(*) AS parallels
