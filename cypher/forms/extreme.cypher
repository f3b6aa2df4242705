`%sign%` * reduce(best = null, x IN `%values%` | CASE WHEN best IS NULL OR `%sign%` * `%key%` < `%sign%` * best THEN `%key%` ELSE best END)
