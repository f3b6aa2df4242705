MATCH (e)`%left%`[:`%relation%`]`%right%`(g:`%label%`)
WITH DISTINCT e, g
WITH e, `%id%` AS gid, `%name%` AS gname
