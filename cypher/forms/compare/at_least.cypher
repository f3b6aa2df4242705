`%key%` >= `%low%`
