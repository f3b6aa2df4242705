// A set that has fewer hops than another is done.
WITH batch, missing, ambiguous, hubs, [] AS arrived,
     CASE WHEN $hops[batch][`%hop%`] IS NULL THEN level ELSE [] END AS done,
     CASE WHEN $hops[batch][`%hop%`] IS NULL THEN [] ELSE level END AS level
