`%sign%` * reduce(best = null, key IN [x IN `%values%` | `%key%`] | CASE WHEN best IS NULL OR `%sign%` * key < `%sign%` * best THEN key ELSE best END)
