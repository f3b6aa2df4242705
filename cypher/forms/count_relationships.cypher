COUNT { (`%from%`)`%left%`[:`%relation%`]`%right%`(:(`%label%`)`%of%`) }
