(x IS :: STRING NOT NULL AND `%compare%`)
