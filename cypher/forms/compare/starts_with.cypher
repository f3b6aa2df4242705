`%key%` STARTS WITH `%low%`
