// The names of all entities, as in the results of kgdb.entities.link.
MATCH (e:`%label%`) WHERE NOT e:Mediator AND NOT e:Literal
RETURN elementId(e) AS node, `%name(e)%` AS name
