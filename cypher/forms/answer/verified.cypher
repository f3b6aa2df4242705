// What fulfils a condition, and the values among which it was looked for.
CALL () {
`%fulfilling%`
}
CALL () {
`%values%`
}
RETURN fulfilled, fulfilling, total, rows
