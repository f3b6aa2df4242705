UNWIND `%values%` AS value
WITH DISTINCT e, null AS gid, toStringOrNull(value) AS gname WHERE gname IS NOT NULL
