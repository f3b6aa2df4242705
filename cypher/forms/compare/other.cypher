(`%key%` < `%low%` OR `%key%` > `%high%`)
