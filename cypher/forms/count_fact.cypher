[[`%id%`, `%name%`, `%relation%`, null, toString(`%count%`), {}]]
