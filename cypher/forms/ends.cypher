WITH collect({e: e, proof: proof}) AS starts
CALL () {
`%to%`
  RETURN collect(e) AS ends
}
UNWIND starts AS start
WITH start.e AS e, start.proof AS proof, ends
