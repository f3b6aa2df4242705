UNWIND `%values%` AS value
WITH DISTINCT e, null AS gid, toString(value) AS gname
