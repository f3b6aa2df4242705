package io.github.kgdb.graph.sandbox;

import io.github.kgdb.KgdbException;
import io.github.kgdb.TextPosition;
import io.github.kgdb.cypher.Confinement;
import io.github.kgdb.cypher.ReadQuery;
import io.github.kgdb.cypher.ReadQuery.Kind;
import io.github.kgdb.cypher.ReadQuery.Name;
import io.github.kgdb.cypher.ReadStatus;
import io.github.kgdb.cypher.Refusal;
import io.github.kgdb.cypher.RunningQuery;
import io.github.kgdb.cypher.ServerErrors;
import io.github.kgdb.graph.store.KnowledgeGraph;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.Termination;

import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.QueryExecutionException;
import org.neo4j.graphdb.QueryExecutionType.QueryType;
import org.neo4j.graphdb.Result;
import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.kernel.api.exceptions.Status;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs scripts that can only read. Errors of a script, or of its execution, are answers and not
 * exceptions.
 */
public final class CypherReader {
    /** The maximum size of an answer. */
    private static final long ANSWER_BYTES = 16L << 20;

    /** Planning a query again takes much less. */
    private static final long EXPLAIN_MS = 1000;

    private static final String EXPLAIN = "EXPLAIN ";

    private final GraphDatabaseService database;
    private final Termination caller;
    private final MemoryBudget.Account results;

    /**
     * @param caller throws if the caller's transaction has ended
     * @param results counts the rows that are kept
     */
    public CypherReader(
            GraphDatabaseService database, Termination caller, MemoryBudget.Account results) {
        this.database = database;
        this.caller = caller;
        this.results = results;
    }

    public Answer read(Request request) {
        try (InnerTransaction inner =
                InnerTransaction.begin(database, caller, request.milliseconds())) {
            inner.limitMemory(ServerErrors.QUERY_BYTES);
            try {
                Answer answer = answer(inner, request);
                inner.check();
                return answer;
            } catch (Refusal refusal) {
                return Answer.refused(refusal);
            } catch (KgdbException wrongArgument) {
                throw wrongArgument;
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError error) {
                caller.check();
                return Answer.refused(
                        inner.isOutOfTime()
                                ? outOfTime(request.milliseconds())
                                : refusal(error, request.script()));
            }
        }
    }

    private Answer answer(InnerTransaction inner, Request request) {
        KnowledgeGraph graph =
                request.graph() == null
                        ? KnowledgeGraph.wholeStore()
                        : KnowledgeGraph.named(inner.transaction(), request.graph());
        ReadQuery query = ReadQuery.of(request.script(), request.limits(), request.scope(graph));
        requireKnown(inner, query, request.confined() ? graph : null);
        try (RunningQuery running = RunningQuery.begin(inner::check, inner.memory())) {
            try {
                return run(inner, query.guarded(), request, graph);
            } catch (RuntimeException error) {
                throw running.refusal() == null ? error : running.refusal();
            }
        } catch (QueryExecutionException error) {
            throw query.isGuarded() ? asWritten(query, error) : error;
        }
    }

    /**
     * @param graph the only graph that the query can read, or null: the whole store
     */
    private static void requireKnown(
            InnerTransaction inner, ReadQuery query, KnowledgeGraph graph) {
        InternalTransaction transaction = inner.transaction();
        if (graph == null) {
            TokenRead tokens = transaction.kernelTransaction().tokenRead();
            new Vocabulary(new StoreNames(tokens)).requireKnown(query);
            return;
        }
        List<String> labels =
                query.names().stream()
                        .filter(name -> name.kind() == Kind.LABEL)
                        .map(Name::text)
                        .distinct()
                        .toList();
        try (GraphNames names = new GraphNames(transaction, graph, labels, inner::check)) {
            new Vocabulary(names).requireKnown(query);
        }
    }

    private Answer run(
            InnerTransaction inner, String query, Request request, KnowledgeGraph graph) {
        try (Result result = inner.transaction().execute(query)) {
            // The checker has made sure of it; this is the server's own opinion.
            if (result.getQueryExecutionType().queryType() != QueryType.READ_ONLY) {
                throw new Refusal(
                        ReadStatus.FORBIDDEN_CLAUSE, "the query does more than read", null);
            }
            return rows(
                    result,
                    new PlainValues(graph, request.maxRows(), ANSWER_BYTES),
                    request.maxRows());
        }
    }

    /** An error in the text must have its position in the query as it is written. */
    private RuntimeException asWritten(ReadQuery query, QueryExecutionException error) {
        if (!ServerErrors.hasPosition(error.getMessage())) {
            return error;
        }
        try (InnerTransaction inner = InnerTransaction.begin(database, caller, EXPLAIN_MS)) {
            inner.transaction().execute(EXPLAIN + query.text()).close();
            return new Refusal(
                    ReadStatus.TOO_COMPLEX,
                    "the query cannot be run under guard as it is written; write it more simply",
                    null);
        } catch (QueryExecutionException original) {
            return ServerErrors.refusal(original.getMessage(), query.text(), EXPLAIN.length());
        }
    }

    private Answer rows(Result result, PlainValues values, int maxRows) {
        List<String> columns = result.columns();
        List<List<Object>> rows = new ArrayList<>();
        boolean more = false;
        long counted = 0;
        while (!more && result.hasNext()) {
            more = rows.size() == maxRows || values.isFull();
            if (!more) {
                Map<String, Object> row = result.next();
                List<Object> plain = new ArrayList<>(columns.size());
                columns.forEach(column -> plain.add(values.plain(row.get(column))));
                rows.add(plain);
                results.allocate(values.bytes() - counted);
                counted = values.bytes();
            }
        }
        return new Answer(ReadStatus.OK, null, null, columns, rows, more || values.wasShortened());
    }

    private static Refusal outOfTime(long milliseconds) {
        return new Refusal(
                ReadStatus.TIME,
                "stopped after "
                        + milliseconds
                        + " ms (timeoutMs); make the query smaller: begin at a node with a known"
                        + " property, use shorter paths, connect all patterns",
                null);
    }

    private static Refusal refusal(Throwable error, String script) {
        if (error instanceof StackOverflowError) {
            return new Refusal(ReadStatus.TOO_DEEP, "expressions are nested too deep", null);
        }
        if (error instanceof OutOfMemoryError || code(error).endsWith("OutOfMemoryError")) {
            return ServerErrors.outOfMemory();
        }
        return ServerErrors.refusal(String.valueOf(error.getMessage()), script, 0);
    }

    private static String code(Throwable error) {
        if (error instanceof QueryExecutionException execution) {
            return execution.getStatusCode();
        }
        return error instanceof Status.HasStatus coded ? coded.status().code().serialize() : "";
    }

    /**
     * @param graph the graph whose id and name properties identify nodes in the answer, or null
     * @param confined whether the query can read only that graph, which then is not null
     * @param maxRows maximum rows of the answer, and maximum items of each list in it
     */
    public record Request(
            String script,
            ReadQuery.Limits limits,
            String graph,
            boolean confined,
            int maxRows,
            long milliseconds) {
        private Confinement.Scope scope(KnowledgeGraph knowledgeGraph) {
            return confined
                    ? new Confinement.Scope(knowledgeGraph.labels(), knowledgeGraph.isAdopted())
                    : null;
        }
    }

    /**
     * @param message what is wrong, or null
     * @param position of the error in the script, or null
     * @param truncated whether a limit left out rows or shortened a text or a list
     */
    public record Answer(
            ReadStatus status,
            String message,
            TextPosition position,
            List<String> columns,
            List<List<Object>> rows,
            boolean truncated) {
        static Answer refused(Refusal refusal) {
            return new Answer(
                    refusal.status(),
                    refusal.getMessage(),
                    refusal.position(),
                    List.of(),
                    List.of(),
                    false);
        }
    }
}
