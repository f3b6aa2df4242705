#!/bin/sh
# Starts Neo4j in the place of this script, so that it gets the signal of `docker stop`.
#
#   NEO4J_AUTH        neo4j/PASSWORD, for a database that was never started
#   NEO4J_AUTH_PATH   a file that holds the same, such as a secret
#   KGDB_HEAP         Java heap, such as 2g
#   KGDB_PAGE_CACHE   Neo4j's page cache, such as 1g
#
# Arguments go to Neo4j: -c db.transaction.timeout=60s sets a setting.
set -eu

export NEO4J_HOME=/opt/neo4j NEO4J_CONF=/opt/neo4j/conf

if [ ! -d /data/databases/system ] && [ ! -f /data/dbms/auth.ini ]; then
    auth=${NEO4J_AUTH:-}
    if [ -n "${NEO4J_AUTH_PATH:-}" ]; then
        auth=$(cat "$NEO4J_AUTH_PATH")
    fi
    password=${auth#neo4j/}
    if [ "$password" = "$auth" ] || [ "${#password}" -lt 8 ]; then
        echo "The database has no password yet, and NEO4J_AUTH gives none; expected neo4j/ and a" >&2
        echo "password of 8 characters or more. Set NEO4J_AUTH, or NEO4J_AUTH_PATH to a file with it." >&2
        exit 1
    fi
    # Only this container's own processes see the argument.
    /opt/java/bin/java @/opt/neo4j/conf/jvm.args -Xmx256m org.neo4j.cli.AdminTool \
        dbms set-initial-password "$password" >/dev/null
fi
unset NEO4J_AUTH password auth

exec /opt/java/bin/java @/opt/neo4j/conf/jvm.args "-Xmx${KGDB_HEAP:-512m}" \
    "$(cat /opt/neo4j/conf/main-class)" --home-dir=/opt/neo4j --config-dir=/opt/neo4j/conf --console-mode \
    -c "server.memory.pagecache.size=${KGDB_PAGE_CACHE:-256m}" "$@"
