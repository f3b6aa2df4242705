(x IS :: INTEGER NOT NULL | FLOAT NOT NULL AND x = x AND `%compare%`)
