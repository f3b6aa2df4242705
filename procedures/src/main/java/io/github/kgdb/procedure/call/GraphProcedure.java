package io.github.kgdb.procedure.call;

import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.TerminationGuard;
import org.neo4j.procedure.memory.ProcedureMemory;

/** What Neo4j hands to every procedure that reads a graph. Public, or Neo4j could not. */
public abstract class GraphProcedure {
    @Context public GraphDatabaseService database;

    @Context public Transaction transaction;

    @Context public TerminationGuard terminationGuard;

    @Context public ProcedureMemory memory;
}
