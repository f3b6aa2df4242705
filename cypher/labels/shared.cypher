// Whether a node carries the label that is none of a loaded graph's.
RETURN EXISTS {
  MATCH (n:`%label%`) WHERE NOT (n:Entity AND any(label IN labels(n) WHERE label IN $loaded))
} AS shared
