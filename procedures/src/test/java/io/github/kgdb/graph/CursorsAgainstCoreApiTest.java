package io.github.kgdb.graph;

import static io.github.kgdb.graph.RandomGraph.TYPES;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;
import io.github.kgdb.kernel.Direction;
import io.github.kgdb.kernel.Entity;
import io.github.kgdb.kernel.Follow;
import io.github.kgdb.kernel.GraphView;
import io.github.kgdb.kernel.MemoryBudget;
import io.github.kgdb.kernel.Neighbors;
import io.github.kgdb.kernel.RelationStep;
import io.github.kgdb.kernel.RelationsAround;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Transaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Every kernel gives the same rows through cursors as through Neo4j's public API, on random graphs:
 * uncommitted, committed, and committed with uncommitted changes.
 */
class CursorsAgainstCoreApiTest {
    private static final int GRAPHS = 200;
    private static final int QUERIES = 5;
    private static final MemoryBudget.Account FREE =
            new MemoryBudget.Account() {
                @Override
                public void allocate(long bytes) {}

                @Override
                public void close() {}
            };

    private static TestDatabase database;

    @BeforeAll
    static void start() {
        database = TestDatabase.with();
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @Test
    void neighbors() {
        onRandomGraphs(
                trial -> {
                    Neighbors.Query query =
                            new Neighbors.Query(
                                    trial.steps(),
                                    trial.oneOf(3, 1000),
                                    trial.oneOf(1, 1000),
                                    trial.oneOf(2, 55, 1000));
                    trial.assertSame(
                            query, view -> Neighbors.find(view, trial.starts(), query, FREE));
                });
    }

    @Test
    void relationsAround() {
        onRandomGraphs(
                trial -> {
                    RelationsAround.Query query =
                            new RelationsAround.Query(trial.steps(), trial.oneOf(2, 1000));
                    trial.assertSame(
                            query,
                            view -> RelationsAround.find(view, trial.starts(), query),
                            wholeStore());
                });
    }

    @Test
    void follow() {
        onRandomGraphs(
                trial -> {
                    Follow.Query query =
                            new Follow.Query(
                                    trial.chain(4),
                                    trial.oneOf(2, 1000),
                                    trial.oneOf(0, 2),
                                    trial.oneOf(2, 1000),
                                    trial.oneOf(3, 1000));
                    trial.assertSame(query, view -> Follow.run(view, trial.starts(), query, FREE));
                });
    }

    @Test
    void followFindsThePathsThatBruteForceFinds() {
        onRandomGraphs(
                trial -> {
                    List<RelationStep> chain = trial.chain(3);
                    Follow.Query query =
                            new Follow.Query(chain, 1000, 4, Long.MAX_VALUE, Long.MAX_VALUE);
                    Map<String, PathsByBruteForce.Found> found = new TreeMap<>();
                    for (Follow.Row row :
                            trial.throughCursors(
                                    view -> Follow.run(view, trial.starts(), query, FREE))) {
                        List<List<String>> backwards =
                                row.examples().stream().map(Trial::idsBackwards).toList();
                        found.put(
                                row.end().id(),
                                new PathsByBruteForce.Found(
                                        (int) row.starts(), row.count(), backwards));
                    }
                    assertEquals(
                            trial.bruteForce(chain, query.examples()), found, trial + " " + query);
                });
    }

    private interface Check {
        void on(Trial trial);
    }

    private static void onRandomGraphs(Check check) {
        for (long seed = 0; seed < GRAPHS; seed++) {
            RandomGraph graph;
            try (Transaction transaction = database.service().beginTx()) {
                graph = RandomGraph.create(transaction, seed);
                ask(check, transaction, graph, seed);
                transaction.commit();
            }
            try (Transaction transaction = database.service().beginTx()) {
                RandomGraph stored =
                        new RandomGraph(
                                graph.graph(),
                                graph.nodes().stream()
                                        .map(
                                                node ->
                                                        transaction.getNodeByElementId(
                                                                node.getElementId()))
                                        .toList());
                ask(check, transaction, stored, seed);
                stored.change(new Random(seed));
                ask(check, transaction, stored, seed);
            }
        }
    }

    private static void ask(Check check, Transaction transaction, RandomGraph graph, long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < QUERIES; i++) {
            check.on(new Trial((InternalTransaction) transaction, graph, random, seed));
        }
    }

    private static KnowledgeGraph wholeStore() {
        return KnowledgeGraph.wholeStore();
    }

    private static final class Trial {
        private final InternalTransaction transaction;
        private final RandomGraph graph;
        private final Random random;
        private final long seed;
        private final List<Node> starts;

        Trial(InternalTransaction transaction, RandomGraph graph, Random random, long seed) {
            this.transaction = transaction;
            this.graph = graph;
            this.random = random;
            this.seed = seed;
            List<Node> shuffled = new ArrayList<>(graph.nodes());
            Collections.shuffle(shuffled, random);
            this.starts = shuffled.subList(0, 1 + random.nextInt(shuffled.size()));
        }

        long[] starts() {
            return starts.stream()
                    .mapToLong(node -> transaction.elementIdMapper().nodeId(node.getElementId()))
                    .toArray();
        }

        int oneOf(Integer... choices) {
            return RandomGraph.pick(random, List.of(choices));
        }

        List<RelationStep> steps() {
            Direction direction = RandomGraph.pick(random, List.of(Direction.values()));
            return random.nextBoolean()
                    ? List.of(new RelationStep(RelationStep.ANY_RELATION, direction))
                    : chain(3).stream().distinct().toList();
        }

        /** Of types that the store knows already. */
        List<RelationStep> chain(int longest) {
            return IntStream.range(0, random.nextInt(longest + 1))
                    .mapToObj(
                            i ->
                                    new RelationStep(
                                            type(RandomGraph.pick(random, TYPES)),
                                            random.nextBoolean() ? Direction.OUT : Direction.IN))
                    .filter(step -> step.relation() >= 0)
                    .toList();
        }

        Map<String, PathsByBruteForce.Found> bruteForce(List<RelationStep> chain, int examples) {
            CoreDictionary dictionary = new CoreDictionary(transaction, graph.graph());
            List<String> types =
                    chain.stream().map(step -> dictionary.relation(step.relation())).toList();
            Map<String, PathsByBruteForce.Found> found =
                    PathsByBruteForce.follow(graph.graph(), starts, chain, types);
            found.replaceAll(
                    (end, all) ->
                            new PathsByBruteForce.Found(
                                    all.starts(),
                                    all.count(),
                                    all.sequences().stream().limit(examples).toList()));
            return found;
        }

        static List<String> idsBackwards(List<Entity> path) {
            List<String> ids = new ArrayList<>(path.stream().map(Entity::id).toList());
            Collections.reverse(ids);
            return ids;
        }

        <T> void assertSame(Record query, Function<GraphView, List<T>> kernel) {
            assertSame(query, kernel, graph.graph());
        }

        <T> void assertSame(
                Record query, Function<GraphView, List<T>> kernel, KnowledgeGraph scope) {
            GraphView core =
                    new GraphView(
                            new CoreGraphReader(transaction, scope),
                            new CoreDictionary(transaction, scope),
                            () -> {},
                            () -> FREE);
            assertEquals(kernel.apply(core), throughCursors(kernel, scope), this + " " + query);
        }

        <T> List<T> throughCursors(Function<GraphView, List<T>> kernel) {
            return throughCursors(kernel, graph.graph());
        }

        private <T> List<T> throughCursors(
                Function<GraphView, List<T>> kernel, KnowledgeGraph scope) {
            try (CursorGraphReader reader =
                            new CursorGraphReader(
                                    transaction.kernelTransaction(), scope, () -> {});
                    CursorDictionary dictionary =
                            new CursorDictionary(
                                    transaction.kernelTransaction(),
                                    scope,
                                    transaction.elementIdMapper())) {
                return kernel.apply(new GraphView(reader, dictionary, () -> {}, () -> FREE));
            }
        }

        private int type(String name) {
            return transaction.kernelTransaction().tokenRead().relationshipType(name);
        }

        @Override
        public String toString() {
            return "graph of seed " + seed + " from " + starts;
        }
    }
}
