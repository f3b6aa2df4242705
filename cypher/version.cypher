// The version of the plugin that the server runs.
CALL kgdb.version() YIELD version RETURN version
