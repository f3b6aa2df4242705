x < $where[`%place%`].`%kind%`
