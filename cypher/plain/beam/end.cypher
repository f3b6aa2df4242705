WITH batch, missing, ambiguous, hubs, done + reached AS level
