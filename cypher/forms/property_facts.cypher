[x IN `%values%` | [`%id%`, `%name%`, `%property%`, null, x, {}]]
