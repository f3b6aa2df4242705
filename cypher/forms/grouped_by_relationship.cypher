MATCH (e)`%left%`[r:`%relation%`]`%right%`(g:`%label%`)
WITH e, r, `%id%` AS gid, `%name%` AS gname
