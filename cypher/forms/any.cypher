any(x IN `%values%` WHERE `%test%`)
