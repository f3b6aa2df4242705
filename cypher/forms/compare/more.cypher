`%key%` > `%high%`
