x >= $where[`%place%`].`%kind%`
