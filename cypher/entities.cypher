// Entities by their ids; those that are not there are left out.
MATCH (e:`%label%`) WHERE e.`%id%` IN $ids
RETURN e.`%id%` AS id, coalesce(e.`%name%`, e.`%id%`) AS name
