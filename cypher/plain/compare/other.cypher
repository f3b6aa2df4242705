x <> $where[`%place%`].`%kind%`
