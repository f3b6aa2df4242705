// The entities that mentions may mean.
CALL kgdb.entities.link($kg, $mentions, $vectors, $config)
YIELD batch, id, name, score, textScore, vectorScore, matched, reason, cut
RETURN batch, id, name, score, textScore, vectorScore, matched, reason, cut
