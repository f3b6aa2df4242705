CASE WHEN count(key) > 0 THEN toFloat(sum(key)) / count(key) END
