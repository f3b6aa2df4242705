COUNT { (`%from%`)`%left%`[:`%relation%`]`%right%`(other:(`%label%`)`%of%`) WHERE `%restricted%` }
