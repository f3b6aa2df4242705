WITH at WHERE $labels = [] OR any(label IN labels(at.node) WHERE label IN $labels)
WITH at ORDER BY at.score DESC, at.ids, at.relations
LIMIT $width
