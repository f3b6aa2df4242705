package io.github.kgdb.procedure;

import io.github.kgdb.KgdbException;
import io.github.kgdb.graph.GraphSession;
import io.github.kgdb.graph.RelationTypes;
import io.github.kgdb.kernel.GraphView;
import io.github.kgdb.kernel.MemoryBudget;

import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.TerminationGuard;
import org.neo4j.procedure.memory.ProcedureMemory;
import org.neo4j.procedure.memory.ProcedureMemoryTracker;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What every procedure that reads a graph does around its kernel. */
final class GraphCall {
    /** What a kernel gets, and what its query is made from. */
    record Input(
            Config config,
            long[] nodes,
            RelationTypes relationTypes,
            GraphView view,
            MemoryBudget.Account results) {}

    /** Makes the query, runs the kernel. */
    @FunctionalInterface
    interface Body<T> {
        List<T> rows(Input input);
    }

    private GraphCall() {}

    /**
     * Checks the arguments, runs {@code body} to its end and frees what it used, also on an error.
     *
     * @param procedure its name, which begins the message of every error
     * @param keys the config keys it takes besides those that all take
     */
    static <T> Stream<T> run(
            String procedure,
            CallContext context,
            Object nodes,
            Map<String, Object> config,
            Set<String> keys,
            Body<T> body) {
        try {
            Config checked = Config.of(config, keys);
            TimeLimit limit = new TimeLimit(context.guard(), checked.cap(Config.TIMEOUT_MS, 0));
            MemoryBudget memory = () -> account(context.memory().newTracker());
            MemoryBudget.Account results = memory.open();
            try (GraphSession session =
                    GraphSession.open(context.transaction(), checked.text(Config.KG), limit)) {
                GraphView view =
                        new GraphView(session.reader(), session.dictionary(), limit, memory);
                Input input =
                        new Input(
                                checked,
                                session.startNodes(nodes),
                                session.relationTypes(),
                                view,
                                results);
                // The rows stay on the heap until the caller has read them all.
                return body.rows(input).stream().onClose(results::close);
            } catch (RuntimeException error) {
                results.close();
                throw error;
            }
        } catch (KgdbException error) {
            throw error.in(procedure);
        }
    }

    static MemoryBudget.Account account(ProcedureMemoryTracker tracker) {
        return new MemoryBudget.Account() {
            @Override
            public void allocate(long bytes) {
                tracker.allocateHeap(bytes);
            }

            @Override
            public void close() {
                tracker.close();
            }
        };
    }

    /** What Neo4j hands to a procedure. */
    record CallContext(Transaction transaction, TerminationGuard guard, ProcedureMemory memory) {}
}
