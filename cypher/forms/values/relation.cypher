[(`%e%`)-[:`%property%`]->(v:`%label%`) WHERE v.`%name%` IS NOT NULL | v.`%name%`]
