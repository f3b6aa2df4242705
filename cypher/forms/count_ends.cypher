COUNT { MATCH (`%from%`)`%left%`[:`%relation%`]`%right%`(other:(`%label%`)`%of%`) RETURN DISTINCT other }
