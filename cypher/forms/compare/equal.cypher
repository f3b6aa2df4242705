`%key%` >= `%low%` AND `%key%` <= `%high%`
