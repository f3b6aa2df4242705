// The entities of each set in the order given. Ids that are not there, or not unique, are told
// beside the rows: that takes no round trip of its own.
UNWIND range(0, size($starts) - 1) AS batch
CALL (batch) {
  UNWIND range(0, size($starts[batch]) - 1) AS place
  OPTIONAL MATCH (n:`%label%`) WHERE n.`%id%` IN $starts[batch][place]
  WITH place, n ORDER BY place, n.`%id%`
  WITH place, collect(n) AS found ORDER BY place
  RETURN collect(found[0]) AS nodes,
         collect(CASE WHEN found = [] THEN $starts[batch][place][0] END) AS missing,
         collect(CASE WHEN found[1].`%id%` = found[0].`%id%` THEN $starts[batch][place][0] END) AS ambiguous
}
