// The names after an id, in the order of the ids.
MATCH (e:`%label%`) WHERE e.`%id%` > $after AND NOT e:Mediator
RETURN e.`%id%` AS id, coalesce(e.`%name%`, e.`%id%`) AS name
ORDER BY id LIMIT $limit
