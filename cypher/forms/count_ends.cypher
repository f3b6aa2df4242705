COUNT { MATCH (`%from%`)`%left%`[:`%relation%`]`%right%`(other:(`%label%`)`%of%`) WHERE `%restricted%` RETURN DISTINCT other }
