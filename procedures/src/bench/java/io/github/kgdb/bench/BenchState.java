package io.github.kgdb.bench;

import io.github.kgdb.graph.session.GraphSession;
import io.github.kgdb.graph.store.NodeFilter;
import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.GraphView;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.beam.Hop;

import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** One open transaction on the store, and the nodes that calls start from in turn. */
@State(Scope.Thread)
public abstract class BenchState {
    /** Nothing is limited, so nothing is counted. */
    static final MemoryBudget.Account UNLIMITED =
            new MemoryBudget.Account() {
                @Override
                public void allocate(long bytes) {}

                @Override
                public void release(long bytes) {}

                @Override
                public void close() {}
            };

    private static final int CASES = 256;
    private static final int SIMILAR_RELATIONS = 20;

    String[] ids;
    long[][] nodes;
    long[][] pairs;
    List<Hop> hops;
    List<Map<String, Double>> hopsByName;
    List<RelationStep> chain;
    GraphSession session;
    GraphView view;
    private PowerLawStore store;
    private Transaction transaction;
    private int turn;

    /** The number of an entity to start from, and of another to find paths to. */
    abstract int[] draw(Random random);

    @Setup(Level.Trial)
    public void open() throws Exception {
        store = PowerLawStore.open();
        transaction = store.database().beginTx();
        session =
                GraphSession.open(
                        store.database(),
                        transaction,
                        PowerLawStore.GRAPH,
                        new NodeFilter(List.of(), false),
                        List.of(),
                        false,
                        () -> {});
        view = new GraphView(session.reader(), session.dictionary(), () -> {}, () -> UNLIMITED);
        Random random = new Random(11);
        ids = new String[CASES];
        nodes = new long[CASES][];
        pairs = new long[CASES][];
        for (int i = 0; i < CASES; i++) {
            int[] drawn = draw(random);
            ids[i] = PowerLawStore.id(drawn[0]);
            nodes[i] = session.startSets(ids[i]).sets().get(0);
            pairs[i] = session.startSets(List.of(ids[i], PowerLawStore.id(drawn[1]))).sets().get(0);
        }
        Hop.Builder similar = new Hop.Builder(2 * SIMILAR_RELATIONS);
        Map<String, Double> named = new HashMap<>();
        for (int i = 0; i < SIMILAR_RELATIONS; i++) {
            String relation = "relation_" + (1 + i * i);
            double similarity = 1 - i / 100.0;
            named.put(relation, similarity);
            named.put("^" + relation, similarity);
            similar.put(session.relationTypes().step(relation), similarity);
            similar.put(session.relationTypes().step("^" + relation), similarity);
        }
        Hop hop = similar.build();
        hops = List.of(hop, hop, hop);
        hopsByName = List.of(named, named, named);
        RelationStep first = session.relationTypes().step("relation_1");
        chain =
                List.of(
                        first,
                        new RelationStep(first.relation(), Direction.IN),
                        session.relationTypes().step("relation_2"));
    }

    @TearDown(Level.Trial)
    public void close() {
        session.close();
        transaction.close();
        store.close();
    }

    int next() {
        turn = (turn + 1) % CASES;
        return turn;
    }

    /** Runs a statement to its end and counts its rows. */
    long execute(String cypher, Map<String, Object> parameters) {
        try (Result result = transaction.execute(cypher, parameters)) {
            return result.stream().count();
        }
    }
}
