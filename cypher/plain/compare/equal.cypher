x = $where[`%place%`].`%kind%`
