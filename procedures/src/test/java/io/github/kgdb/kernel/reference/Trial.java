package io.github.kgdb.kernel.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;
import io.github.kgdb.Trials;
import io.github.kgdb.graph.arguments.RelationTypes;
import io.github.kgdb.graph.cache.AdjacencyListCache;
import io.github.kgdb.graph.cache.CachingDictionary;
import io.github.kgdb.graph.cache.CachingGraphReader;
import io.github.kgdb.graph.cache.EntityCache;
import io.github.kgdb.graph.csr.CsrGraph;
import io.github.kgdb.graph.csr.CsrGraphBuilder;
import io.github.kgdb.graph.csr.CsrGraphReader;
import io.github.kgdb.graph.store.CursorDictionary;
import io.github.kgdb.graph.store.CursorGraphReader;
import io.github.kgdb.graph.store.EnclosedRelations;
import io.github.kgdb.graph.store.GraphLabels;
import io.github.kgdb.graph.store.KnowledgeGraph;
import io.github.kgdb.graph.store.Labels;
import io.github.kgdb.graph.store.NodeFilter;
import io.github.kgdb.graph.store.PropertyCondition;
import io.github.kgdb.graph.store.RelationshipFilter;
import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.GraphView;
import io.github.kgdb.kernel.api.KernelResult;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.StepFilter;
import io.github.kgdb.kernel.reference.ReferenceGraph.Rules;

import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Transaction;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.internal.kernel.api.TokenRead;
import org.neo4j.values.storable.Values;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One random question about one random graph. */
final class Trial {
    private static final int GRAPHS = Trials.of(200);
    private static final int QUESTIONS = 5;

    static final MemoryBudget.Account FREE =
            new MemoryBudget.Account() {
                @Override
                public void allocate(long bytes) {}

                @Override
                public void release(long bytes) {}

                @Override
                public void close() {}
            };

    private final InternalTransaction transaction;
    private final RandomGraph graph;
    private final Random random;
    private final long seed;
    private final KnowledgeGraph scope;

    private Trial(InternalTransaction transaction, RandomGraph graph, Random random, long seed) {
        this.transaction = transaction;
        this.graph = graph;
        this.random = random;
        this.seed = seed;
        this.scope = random.nextInt(4) == 0 ? KnowledgeGraph.wholeStore() : graph.graph();
    }

    /** On graphs that are uncommitted, committed, and committed with uncommitted changes. */
    static void onRandomGraphs(TestDatabase database, Check check) {
        for (long seed = 0; seed < GRAPHS; seed++) {
            RandomGraph graph;
            try (Transaction transaction = database.service().beginTx()) {
                graph = RandomGraph.create(transaction, seed);
                ask(check, transaction, graph, seed);
                transaction.commit();
            }
            try (Transaction transaction = database.service().beginTx()) {
                RandomGraph stored = graph.in(transaction);
                ask(check, transaction, stored, seed);
                stored.change(new Random(seed));
                ask(check, transaction, stored, seed);
                // The store stays small: a question about all of it reads all of it.
                stored.delete();
                transaction.commit();
            }
        }
    }

    private static void ask(Check check, Transaction transaction, RandomGraph graph, long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < QUESTIONS; i++) {
            check.on(new Trial((InternalTransaction) transaction, graph, random, seed));
        }
    }

    interface Check {
        void on(Trial trial);
    }

    /** Whether there are too many single relationships to enumerate them in every order. */
    boolean hasHub() {
        return seed % 3 == 0;
    }

    List<Node> starts(int max) {
        List<Node> shuffled = new ArrayList<>(graph.nodes());
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, 1 + random.nextInt(Math.min(max, shuffled.size())));
    }

    static List<String> ids(List<Node> nodes) {
        return nodes.stream().map(node -> (String) node.getProperty("id")).toList();
    }

    long[] numbers(List<Node> nodes) {
        return nodes.stream()
                .mapToLong(node -> transaction.elementIdMapper().nodeId(node.getElementId()))
                .toArray();
    }

    @SafeVarargs
    final <T> T oneOf(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    int number(int bound) {
        return random.nextInt(bound);
    }

    Rules rules() {
        List<String> relations = specs();
        boolean exact = relations.stream().anyMatch(ReferenceGraph::isAgainst);
        return new Rules(
                relations,
                exact ? null : oneOf(null, "out", "in", "both"),
                random.nextBoolean() ? List.of() : specs(),
                labels(),
                random.nextBoolean(),
                oneOf(0, 0, 2, 5, 55),
                minWeight());
    }

    /** A condition on the weights of relationships, or none. */
    Long minWeight() {
        return oneOf(null, null, 1L, 3L);
    }

    private RelationshipFilter conditions(Rules rules) {
        return rules.minWeight() == null
                ? RelationshipFilter.NONE
                : new RelationshipFilter(
                        List.of(
                                new PropertyCondition(
                                        PropertyCondition.EVERY_RELATION,
                                        transaction
                                                .kernelTransaction()
                                                .tokenRead()
                                                .propertyKey("weight"),
                                        PropertyCondition.Comparison.AT_LEAST,
                                        PropertyCondition.Operand.of(
                                                Values.longValue(rules.minWeight())))));
    }

    List<String> labels() {
        return oneOf(List.of(), List.of(), List.of("Red"), RandomGraph.LABELS);
    }

    List<String> specs() {
        List<String> types =
                RandomGraph.TYPES.stream().filter(type -> random.nextBoolean()).toList();
        return switch (random.nextInt(4)) {
            case 0 -> List.of();
            case 1 -> types;
            case 2 -> types.stream().map(ReferenceGraph::reversed).toList();
            default ->
                    types.stream()
                            .flatMap(
                                    type ->
                                            random.nextBoolean()
                                                    ? Stream.of(type, ReferenceGraph.reversed(type))
                                                    : Stream.of(type))
                            .toList();
        };
    }

    List<String> chain(int longest) {
        return IntStream.range(0, random.nextInt(longest + 1))
                .mapToObj(i -> RandomGraph.pick(random, RandomGraph.TYPES))
                .map(type -> random.nextBoolean() ? type : ReferenceGraph.reversed(type))
                .toList();
    }

    RelationStep step(String spec) {
        return relationTypes().step(spec);
    }

    List<RelationStep> steps(List<String> specs) {
        return specs.stream().map(this::step).toList();
    }

    StepFilter steps(Rules rules) {
        Direction direction =
                rules.direction() == null
                        ? null
                        : Direction.valueOf(rules.direction().toUpperCase(Locale.ROOT));
        return relationTypes().steps(rules.relations(), direction, rules.exclude());
    }

    /** 0 means no limit. */
    static long limit(long value) {
        return value == 0 ? Long.MAX_VALUE : value;
    }

    ReferenceGraph edges(Rules rules) {
        return ReferenceGraph.of(graph, rules, scope.isWholeStore());
    }

    /**
     * Compares the kernel's result with the reference's: through the public API, through cursors,
     * from a copy in memory, and from the caches.
     */
    <T, R> void check(
            Object question,
            Rules rules,
            Result<R> expected,
            Function<GraphView, KernelResult<T>> kernel,
            Function<T, R> row) {
        String context = "graph of seed " + seed + " " + scope + " " + rules + " " + question;
        NodeFilter filter = new NodeFilter(rules.labels(), rules.mediators());
        GraphView core =
                new GraphView(
                        new CoreGraphReader(transaction, scope, filter, rules.minWeight()),
                        new CoreDictionary(transaction, scope),
                        () -> {},
                        () -> FREE);
        assertEquals(expected, result(kernel.apply(core), row), () -> "public API: " + context);
        EnclosedRelations enclosed = oneOf(EnclosedRelations.NONE, new EnclosedRelations(2));
        try (CursorGraphReader reader =
                        new CursorGraphReader(
                                transaction.kernelTransaction(),
                                scope,
                                filter,
                                conditions(rules),
                                enclosed,
                                () -> {});
                CursorDictionary dictionary =
                        new CursorDictionary(
                                transaction.kernelTransaction(),
                                scope,
                                transaction.elementIdMapper())) {
            GraphView view = new GraphView(reader, dictionary, () -> {}, () -> FREE);
            assertEquals(expected, result(kernel.apply(view), row), () -> "cursors: " + context);
            if (rules.minWeight() != null) {
                return; // Caches and copies hold no properties.
            }
            CachingGraphReader cachingReader =
                    new CachingGraphReader(reader, adjacencyCache(), filter, () -> {});
            CsrGraphReader copy = new CsrGraphReader(copy(), filter, cachingReader, () -> {});
            GraphView inMemory = new GraphView(copy, dictionary, () -> {}, () -> FREE);
            assertEquals(expected, result(kernel.apply(inMemory), row), () -> "copy: " + context);
            GraphView remembering =
                    new GraphView(
                            cachingReader,
                            new CachingDictionary(dictionary, new EntityCache()),
                            () -> {},
                            () -> FREE);
            assertEquals(
                    expected, result(kernel.apply(remembering), row), () -> "read: " + context);
            // Sparse nodes enter the cache after some reads, also during a search.
            for (int again = 0; again < 4; again++) {
                assertEquals(
                        expected,
                        result(kernel.apply(remembering), row),
                        () -> "known: " + context);
            }
            assertEquals(
                    expected, result(kernel.apply(inMemory), row), () -> "known copy: " + context);
        }
    }

    private CsrGraph copy() {
        TokenRead tokens = transaction.kernelTransaction().tokenRead();
        return CsrGraphBuilder.build(
                transaction.kernelTransaction(),
                GraphLabels.of(scope, tokens),
                new Labels(tokens).number(Labels.MEDIATOR),
                () -> {});
    }

    /** Caches even the smallest hubs, and sometimes only a few. */
    private AdjacencyListCache adjacencyCache() {
        return new AdjacencyListCache(1, oneOf(5 * AdjacencyListCache.bytes(4), Long.MAX_VALUE));
    }

    private static <T, R> Result<R> result(KernelResult<T> found, Function<T, R> row) {
        return new Result<>(found.rows().stream().map(row).toList(), found.cut());
    }

    private RelationTypes relationTypes() {
        return new RelationTypes(transaction, KnowledgeGraph.wholeStore());
    }
}
