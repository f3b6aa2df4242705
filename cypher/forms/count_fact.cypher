[[`%id%`, `%name%`, `%relation%`, null, `%count%`, {}]]
