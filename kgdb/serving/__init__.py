"""``kgdb serve``: the graphs of one database over HTTP, as chat models, and as MCP tools."""
