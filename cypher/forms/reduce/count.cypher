count(DISTINCT e)
