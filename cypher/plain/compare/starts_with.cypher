x STARTS WITH $where[`%place%`].`%kind%`
