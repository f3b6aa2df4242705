`%key%` CONTAINS `%low%`
