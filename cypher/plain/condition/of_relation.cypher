(NOT r:`%relation%` OR `%fulfils%`)
