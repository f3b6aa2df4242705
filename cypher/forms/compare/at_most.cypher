`%key%` <= `%high%`
