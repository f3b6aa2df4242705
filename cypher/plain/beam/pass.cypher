// Those that arrived at a mediator go on; each half of the hop counts half its similarity.
WITH batch, missing, ambiguous, hubs, done, [at IN reached WHERE NOT at.node:Mediator] AS arrived,
     [at IN reached WHERE at.node:Mediator | {
       node: at.node, edges: at.edges, count: at.count, relations: at.relations, ids: at.ids,
       names: at.names, score: at.before + at.similarities[-1] / 2,
       similarities: at.similarities[..-1] + [at.similarities[-1] / 2]
     }] AS level
