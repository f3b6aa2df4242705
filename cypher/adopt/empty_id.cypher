// Whether a node has the empty text as its id.
RETURN EXISTS { MATCH (e:`%label%`) WHERE e.`%id%` = $empty } AS found
