// Both ways from entities that are joined, a relationship comes twice.
WITH r, other, proof ORDER BY `%other_name%`, `%other_id%`
WITH r, collect([other, proof])[0] AS first
WITH r, first[0] AS other, first[1] AS proof
