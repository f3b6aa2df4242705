x CONTAINS $where[`%place%`].`%kind%`
