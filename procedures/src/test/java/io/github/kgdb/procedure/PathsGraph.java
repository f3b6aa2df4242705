package io.github.kgdb.procedure;

import io.github.kgdb.TestDatabase;

import java.util.List;

/** A graph of three components with parallel edges, a hub and mediators, for path tests. */
record PathsGraph(TestDatabase database) implements AutoCloseable {
    static PathsGraph create() {
        return new PathsGraph(
                TestDatabase.with(
                        "CREATE (:KnowledgeGraph {name: 'g', label: 'G'})",
                        "CREATE (:Relation {kg: 'g', id: 'knows'})",
                        """
CREATE (a:G:Red {id: 'a', name: 'Ann'}), (b:G:Blue {id: 'b', name: 'Bob'}), (c:G {id: 'c'}),
       (h:G:Red {id: 'h'}), (x:Other {id: 'x'}), (lonely:G {id: 'lonely'})
CREATE (a)-[:knows]->(b), (a)-[:knows]->(b), (b)-[:knows]->(c), (a)-[:likes]->(c),
       (c)-[:knows]->(c), (a)-[:at]->(h), (c)-[:at]->(h), (a)-[:likes]->(x), (x)-[:likes]->(c)
FOREACH (i IN range(1, 5) | CREATE (:G {id: 'leaf ' + i})-[:at]->(h))
""",
                        """
CREATE (p:G {id: 'p'}), (q:G {id: 'q'}), (r:G {id: 'r'}), (s:G {id: 's'}),
       (m:G:Mediator {id: 'm'}), (n:G:Mediator {id: 'n'})
CREATE (p)-[:role]->(m), (m)-[:of]->(q), (m)-[:next]->(n), (n)-[:of]->(r), (q)-[:then]->(s)
""",
                        """
CREATE (t:G {id: 't'}), (u:G {id: 'u'}), (k:G:Mediator {id: 'k'})
CREATE (t)-[:then]->(u), (t)-[:role]->(k), (u)-[:then]->(:G {id: 'v'})
FOREACH (i IN range(1, 4) | CREATE (k)-[:of]->(:G {id: 'part ' + i}))
"""));
    }

    /** The paths as texts: "hops: id relation id …". */
    List<Object> all(String arguments) {
        return rows("all", arguments);
    }

    List<Object> shortest(String arguments) {
        return rows("shortest", arguments);
    }

    List<Object> cut(String arguments) {
        return database.column(
                "CALL kgdb.paths.all(" + arguments + ") YIELD cut RETURN DISTINCT cut");
    }

    String error(String arguments) {
        return database.error("CALL kgdb.paths.all(" + arguments + ")");
    }

    private List<Object> rows(String procedure, String arguments) {
        return database.column(
                "CALL kgdb.paths."
                        + procedure
                        + "("
                        + arguments
                        + ") YIELD ids, relations, hops, count RETURN hops + ': ' + reduce(path ="
                        + " ids[0], i IN range(0, size(relations) - 1) | path + ' ' + relations[i]"
                        + " + ' ' + ids[i + 1]) + CASE count WHEN 1 THEN '' ELSE ' x' + count END");
    }

    @Override
    public void close() {
        database.close();
    }
}
