package io.github.kgdb.procedure.call;

import io.github.kgdb.KgdbException;
import io.github.kgdb.graph.arguments.RelationTypes;
import io.github.kgdb.graph.arguments.StartSets;
import io.github.kgdb.graph.session.GraphSession;
import io.github.kgdb.graph.store.NodeFilter;
import io.github.kgdb.kernel.api.GraphView;
import io.github.kgdb.kernel.api.KernelResult;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.StepFilter;
import io.github.kgdb.kernel.api.Termination;

import org.neo4j.procedure.memory.ProcedureMemoryTracker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** The steps around a kernel that all graph procedures share. */
public final class GraphCall {
    /** What a procedure builds its query from, and what its kernel needs. */
    public record Input(
            Config config,
            GraphSession session,
            Termination termination,
            MemoryBudget memory,
            MemoryBudget.Account results) {
        public GraphView view() {
            return new GraphView(session.reader(), session.dictionary(), termination, memory);
        }

        public RelationTypes relationTypes() {
            return session.relationTypes();
        }

        /** The filter that the common keys (relations, direction, exclude) describe. */
        public StepFilter steps() {
            return relationTypes()
                    .steps(
                            config.get(Parameters.RELATIONS),
                            config.get(Parameters.DIRECTION),
                            config.get(Parameters.EXCLUDE));
        }
    }

    /** Searches for one element of a batch. */
    @FunctionalInterface
    public interface Search<F> {
        KernelResult<F> find(int batch);
    }

    /** Searches from one start set. */
    @FunctionalInterface
    public interface SetSearch<F> {
        KernelResult<F> find(int batch, long[] starts);
    }

    /** A batch of searches. Each gives the rows that it gives alone. */
    public record Batches<F>(int size, Search<F> search) {
        public static <F> Batches<F> over(StartSets starts, SetSearch<F> search) {
            return new Batches<>(
                    starts.sets().size(), batch -> search.find(batch, starts.sets().get(batch)));
        }
    }

    /** Checks the remaining arguments and prepares the searches. */
    @FunctionalInterface
    public interface Body<F> {
        Batches<F> prepare(Input input);
    }

    /** Makes a row of a result or, for null, the row that only lists the limits. */
    @FunctionalInterface
    public interface RowMaker<F, R> {
        R row(long batch, F found, List<String> cut);
    }

    /** Reporting every few bytes to the tracker would take longer than many a search. */
    private static final long COUNTED_BYTES = 8192;

    /** The size of a row, without what its kernel counts. */
    private static final long ROW_BYTES = 100;

    private GraphCall() {}

    /**
     * Checks the arguments, runs the searches and releases all resources, also after an error.
     *
     * @param name of the procedure, the beginning of every error message
     * @param keys the config keys of the procedure, with the graph among them
     */
    public static <F, R> Stream<R> run(
            String name,
            GraphProcedure procedure,
            Map<String, Object> config,
            List<ConfigKey<?>> keys,
            Body<F> body,
            RowMaker<F, R> maker) {
        return run(
                name, procedure, checked -> checked.get(Parameters.KG), config, keys, body, maker);
    }

    /** The same for a procedure whose graph is an argument. */
    public static <F, R> Stream<R> run(
            String name,
            GraphProcedure procedure,
            String kg,
            Map<String, Object> config,
            List<ConfigKey<?>> keys,
            Body<F> body,
            RowMaker<F, R> maker) {
        return run(name, procedure, checked -> kg, config, keys, body, maker);
    }

    private static <F, R> Stream<R> run(
            String name,
            GraphProcedure procedure,
            Function<Config, String> kg,
            Map<String, Object> config,
            List<ConfigKey<?>> keys,
            Body<F> body,
            RowMaker<F, R> maker) {
        try {
            Config checked = Config.of(config, keys);
            TimeLimit limit =
                    new TimeLimit(procedure.terminationGuard, checked.get(Parameters.TIMEOUT_MS));
            MemoryBudget memory = () -> account(procedure.memory.newTracker());
            MemoryBudget.Account results = memory.open();
            try (GraphSession session =
                    GraphSession.open(
                            procedure.database,
                            procedure.transaction,
                            kg.apply(checked),
                            filter(checked, keys),
                            takes(keys, Parameters.WHERE)
                                    ? checked.get(Parameters.WHERE)
                                    : List.of(),
                            checked.get(Parameters.IN_MEMORY),
                            limit)) {
                Input input = new Input(checked, session, limit, memory, results);
                // The rows stay on the heap until the caller has read them all.
                return rows(body.prepare(input), input, maker).stream().onClose(results::close);
            } catch (RuntimeException | Error error) {
                results.close();
                throw error;
            }
        } catch (KgdbException error) {
            throw error.in(name);
        } catch (OutOfMemoryError full) {
            throw KgdbException.outOfMemory(full).in(name);
        }
    }

    private static <F, R> List<R> rows(Batches<F> batches, Input input, RowMaker<F, R> maker) {
        List<R> rows = new ArrayList<>();
        for (int batch = 0; batch < batches.size(); batch++) {
            input.termination().check();
            KernelResult<F> found = batches.search().find(batch);
            input.results().allocate((found.rows().size() + 1) * ROW_BYTES);
            for (F each : found.rows()) {
                rows.add(maker.row(batch, each, found.cut()));
            }
            if (found.rows().isEmpty() && !found.cut().isEmpty()) {
                rows.add(maker.row(batch, null, found.cut()));
            }
        }
        return rows;
    }

    private static boolean takes(List<ConfigKey<?>> keys, ConfigKey<?> wanted) {
        for (ConfigKey<?> key : keys) {
            if (key == wanted) {
                return true;
            }
        }
        return false;
    }

    private static NodeFilter filter(Config config, List<ConfigKey<?>> keys) {
        return new NodeFilter(
                takes(keys, Parameters.LABELS) ? config.get(Parameters.LABELS) : List.of(),
                takes(keys, Parameters.MEDIATORS) && config.get(Parameters.MEDIATORS));
    }

    public static MemoryBudget.Account account(ProcedureMemoryTracker tracker) {
        return new MemoryBudget.Account() {
            private long pending;

            @Override
            public void allocate(long bytes) {
                pending += bytes;
                if (pending >= COUNTED_BYTES) {
                    tracker.allocateHeap(pending);
                    pending = 0;
                }
            }

            @Override
            public void release(long bytes) {
                pending -= bytes;
                if (pending <= -COUNTED_BYTES) {
                    tracker.releaseHeap(-pending);
                    pending = 0;
                }
            }

            @Override
            public void close() {
                tracker.close();
            }
        };
    }
}
