`%left%`[`%r%`:`%relation%`]`%right%`(`%n%`:`%label%`)
