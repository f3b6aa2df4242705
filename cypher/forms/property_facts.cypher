[x IN `%values%` | [`%id%`, `%name%`, `%property%`, null, toString(x), {}]]
