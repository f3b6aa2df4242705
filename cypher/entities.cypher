// Entities by their ids; those that are not there are left out.
MATCH (e:`%label%`) WHERE `%key(e)%` IN $ids
RETURN `%id(e)%` AS id, `%name(e)%` AS name
