// Every entity of a graph, without literals, in stored order. `labels` excludes labels that are reserved for
// kgdb.
MATCH (e:`%label%`) WHERE NOT ($literals AND e:Literal)
RETURN `%id(e)%` AS id, `%name(e)%` AS name,
       [alias IN reduce(all = [], key IN $aliases | all + coalesce(e[key], [])) | toString(alias)] AS aliases,
       [label IN labels(e) WHERE NOT label IN $own] AS labels, e:Mediator AS mediator
