// The entities of each set in the order given. Ids that are not there, or not unique, are told
// beside the rows: that takes no round trip of its own.
UNWIND range(0, size($starts) - 1) AS batch
CALL (batch) {
  UNWIND range(0, size($starts[batch]) - 1) AS place
  `%find%`
  WITH place, n ORDER BY place, `%key(n)%`
  WITH place, collect(n) AS found ORDER BY place
  RETURN collect(found[0]) AS nodes,
         collect(CASE WHEN found = [] THEN $starts[batch][place][0] END) AS missing,
         collect(CASE WHEN `%key(found[1])%` = `%key(found[0])%` THEN $starts[batch][place][0] END) AS ambiguous
}
