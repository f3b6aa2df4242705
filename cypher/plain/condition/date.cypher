(x IS :: DATE NOT NULL | LOCAL DATETIME NOT NULL | ZONED DATETIME NOT NULL
     AND any(x IN [left(toString(x), coalesce(size($where[`%place%`].date), 0))] WHERE `%compare%`))
