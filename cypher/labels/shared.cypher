// Whether a node outside all loaded graphs has the label.
RETURN EXISTS {
  MATCH (n:`%label%`) WHERE NOT (n:Entity AND any(label IN labels(n) WHERE label IN $loaded))
} AS shared
