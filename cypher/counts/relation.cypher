// The relationships of a type: all, and by the label of either end. The store keeps these counts.
RETURN COUNT { ()-[:`%type%`]->() } AS total, [`%heads%`] AS heads, [`%tails%`] AS tails
