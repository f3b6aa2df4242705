package io.github.kgdb.procedure.call;

import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.TerminationGuard;
import org.neo4j.procedure.memory.ProcedureMemory;

/**
 * The context that Neo4j injects into every graph procedure. The fields must be public for that.
 */
public abstract class GraphProcedure {
    @Context public GraphDatabaseService database;

    @Context public Transaction transaction;

    @Context public TerminationGuard terminationGuard;

    @Context public ProcedureMemory memory;
}
