WITH batch, missing, ambiguous, found, nodes, [] AS hubs
