// One number from many, and the first of these.
CALL () {
`%values%`
}
WITH `%key%` AS key WHERE key IS NOT NULL
RETURN count(key) AS total, `%function%`(key) AS number
