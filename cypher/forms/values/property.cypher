coalesce([] + `%e%`.`%property%`, [])
