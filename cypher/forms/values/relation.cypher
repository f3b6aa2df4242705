[(`%e%`)-[:`%property%`]->(v:`%label%`) WHERE `%name(v)%` IS NOT NULL | {name: `%name(v)%`}.name]
