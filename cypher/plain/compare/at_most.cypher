x <= $where[`%place%`].`%kind%`
