"""Questions of ordinary users over property graphs, each with the query that answers it."""
