`%key%` < `%low%`
