x > $where[`%place%`].`%kind%`
