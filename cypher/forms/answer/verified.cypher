// What fulfils a condition, and the values among which it was looked for.
CALL () {
  CALL () {
`%fulfilling%`
  }
  RETURN total AS fulfilled, rows AS fulfilling
}
CALL () {
`%values%`
}
RETURN fulfilled, fulfilling, total, rows
