[(`%e%`)-[:`%property%`]->(v:`%label%`) | v.`%name%`]
