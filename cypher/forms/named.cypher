MATCH (e:`%label%`) WHERE `%name%` = `%text%`
RETURN e
