// The best partial paths of the set.
CALL (reached) {
  UNWIND reached AS at
  `%best%`
  RETURN collect(at) AS kept
}
WITH batch, missing, ambiguous, hubs, done, kept AS reached
