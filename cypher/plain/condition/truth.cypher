(x IS :: BOOLEAN NOT NULL AND `%compare%`)
