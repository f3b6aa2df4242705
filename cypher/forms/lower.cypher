toLower(`%text%`)
