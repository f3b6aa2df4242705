package io.github.kgdb.kernel.reference;

import io.github.kgdb.TestDatabase;
import io.github.kgdb.kernel.api.KernelResult;
import io.github.kgdb.kernel.beam.Beam;
import io.github.kgdb.kernel.beam.Hop;
import io.github.kgdb.kernel.follow.Follow;
import io.github.kgdb.kernel.neighbors.Neighbors;
import io.github.kgdb.kernel.neighbors.RelationsAround;
import io.github.kgdb.kernel.paths.Paths;
import io.github.kgdb.kernel.reference.ReferenceGraph.Rules;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.neo4j.graphdb.Node;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Every kernel returns, through cursors and through Neo4j's public API, what brute force returns.
 */
class KernelsOnRandomGraphsTest {
    @AutoClose
    private static final TestDatabase database =
            // The graphs are small, so the threshold is low: dense nodes are read differently.
            TestDatabase.withDenseNodes(
                    4,
                    "CREATE (n:Mediator:Red:Blue)-[:a]->(n) CREATE (n)-[:`b.c`]->(n)"
                            + " CREATE (n)-[:`d ``e```]->(n) CREATE (n)-[:名前]->(n)");

    @Test
    void neighbors() {
        Trial.onRandomGraphs(
                database,
                trial -> {
                    Rules rules = trial.rules();
                    List<Node> sources = trial.starts(8);
                    Neighbors.Query query =
                            new Neighbors.Query(
                                    trial.steps(rules),
                                    rules.mediators(),
                                    trial.oneOf(3, 1000),
                                    trial.oneOf(1L, 2L, Long.MAX_VALUE),
                                    Trial.limit(rules.maxDegree()));
                    trial.check(
                            query,
                            rules,
                            NeighborsByBruteForce.find(
                                    trial.edges(rules),
                                    Trial.ids(sources),
                                    query.perRelation(),
                                    query.limit()),
                            view -> Neighbors.find(view, trial.numbers(sources), query, Trial.FREE),
                            NeighborsByBruteForce.Row::of);
                });
    }

    @Test
    void relationsAround() {
        Trial.onRandomGraphs(
                database,
                trial -> {
                    Rules rules = trial.rules().withoutConditions();
                    List<Node> nodes = trial.starts(8);
                    RelationsAround.Query query =
                            new RelationsAround.Query(
                                    trial.steps(rules),
                                    rules.mediators(),
                                    trial.oneOf(2, 1000),
                                    Trial.limit(rules.maxDegree()));
                    trial.check(
                            query,
                            rules,
                            RelationsByBruteForce.find(
                                    trial.edges(rules), Trial.ids(nodes), query.limit()),
                            view ->
                                    RelationsAround.find(
                                            view, trial.numbers(nodes), query, Trial.FREE),
                            RelationsByBruteForce.Row::of);
                });
    }

    @Test
    void follow() {
        Trial.onRandomGraphs(
                database,
                trial -> {
                    List<String> chain = trial.chain(trial.hasHub() ? 3 : 4);
                    List<Node> starts = trial.starts(8);
                    Rules rules =
                            new Rules(
                                    List.of(),
                                    null,
                                    List.of(),
                                    trial.labels(),
                                    false,
                                    trial.oneOf(0, 0, 2, 5),
                                    trial.minWeight());
                    Follow.Query query =
                            new Follow.Query(
                                    trial.steps(chain),
                                    trial.oneOf(2, 1000),
                                    trial.oneOf(0, 2, 4),
                                    Trial.limit(rules.maxDegree()),
                                    Long.MAX_VALUE);
                    trial.check(
                            query,
                            rules,
                            FollowByBruteForce.find(
                                    trial.edges(rules),
                                    Trial.ids(starts),
                                    chain,
                                    query.examples(),
                                    query.limit()),
                            view -> Follow.run(view, trial.numbers(starts), query, Trial.FREE),
                            FollowByBruteForce.Row::of);
                });
    }

    @Test
    void allPaths() {
        Trial.onRandomGraphs(
                database, trial -> checkPaths(trial, false, false, trial.oneOf(1, 2, 3, 4, 5)));
    }

    @Test
    void shortestPaths() {
        Trial.onRandomGraphs(
                database,
                trial ->
                        checkPaths(
                                trial, true, trial.oneOf(true, false), trial.oneOf(1, 2, 3, 4, 6)));
    }

    @Test
    void anyPaths() {
        Trial.onRandomGraphs(database, KernelsOnRandomGraphsTest::checkAnyPaths);
    }

    private static void checkPaths(Trial trial, boolean shortest, boolean firstOnly, int maxHops) {
        Rules rules = trial.rules();
        List<Node> nodes = trial.starts(4);
        PathsByBruteForce.Query asked =
                new PathsByBruteForce.Query(
                        maxHops,
                        shortest,
                        firstOnly,
                        trial.oneOf(1L, 3L, Long.MAX_VALUE),
                        trial.oneOf(4, 100_000));
        trial.check(
                asked + " " + Trial.ids(nodes),
                rules,
                PathsByBruteForce.find(trial.edges(rules), Trial.ids(nodes), asked),
                view ->
                        Paths.find(
                                view,
                                trial.numbers(nodes),
                                query(trial, rules, asked, true),
                                Trial.FREE),
                PathsByBruteForce.Row::of);
    }

    /** Without an order there are as many rows between the same nodes, each a different path. */
    private static void checkAnyPaths(Trial trial) {
        Rules rules = trial.rules();
        List<Node> nodes = trial.starts(4);
        int maxHops = trial.oneOf(3, 4, 5);
        PathsByBruteForce.Query asked =
                new PathsByBruteForce.Query(
                        maxHops,
                        false,
                        false,
                        trial.oneOf(1L, 3L, 10L, Long.MAX_VALUE),
                        trial.oneOf(4, 100_000));
        ReferenceGraph edges = trial.edges(rules);
        Result<PathsByBruteForce.Row> expected =
                PathsByBruteForce.find(edges, Trial.ids(nodes), asked);
        Set<PathsByBruteForce.Row> all =
                Set.copyOf(
                        PathsByBruteForce.find(
                                        edges,
                                        Trial.ids(nodes),
                                        new PathsByBruteForce.Query(
                                                maxHops,
                                                false,
                                                false,
                                                Long.MAX_VALUE,
                                                Integer.MAX_VALUE))
                                .rows());
        trial.check(
                asked + " in any order " + Trial.ids(nodes),
                rules,
                new Result<>(
                        expected.rows().stream().map(row -> ends(row, all)).toList(),
                        expected.cut()),
                view ->
                        distinct(
                                Paths.find(
                                        view,
                                        trial.numbers(nodes),
                                        query(trial, rules, asked, false),
                                        Trial.FREE)),
                row -> ends(row, all));
    }

    private static Paths.Query query(
            Trial trial, Rules rules, PathsByBruteForce.Query asked, boolean ordered) {
        return new Paths.Query(
                trial.steps(rules),
                rules.mediators(),
                asked.maxHops(),
                asked.shortest(),
                asked.firstOnly(),
                asked.perPair(),
                asked.limit(),
                ordered,
                Trial.limit(rules.maxDegree()));
    }

    private static KernelResult<PathsByBruteForce.Row> distinct(KernelResult<Paths.Row> found) {
        return new KernelResult<>(
                found.rows().stream().map(PathsByBruteForce.Row::of).distinct().toList(),
                found.cut());
    }

    /** The two ends of a path that exists, and all of one that does not. */
    private static List<String> ends(
            PathsByBruteForce.Row row, Set<PathsByBruteForce.Row> existing) {
        List<String> ids = row.ids();
        return existing.contains(row)
                ? List.of(ids.get(0), ids.get(ids.size() - 1))
                : List.of(row.toString());
    }

    @Test
    void beam() {
        Trial.onRandomGraphs(
                database,
                trial -> {
                    Rules rules =
                            new Rules(
                                    List.of(),
                                    null,
                                    trial.oneOf(List.of(), trial.specs()),
                                    trial.labels(),
                                    trial.oneOf(true, false),
                                    trial.oneOf(0, 0, 2, 5),
                                    trial.minWeight());
                    List<Node> starts = trial.starts(3);
                    List<Map<String, Double>> hops = new ArrayList<>();
                    int length = trial.number(trial.hasHub() || rules.mediators() ? 3 : 4);
                    while (hops.size() < length) {
                        hops.add(hop(trial));
                    }
                    BeamByBruteForce.Query asked =
                            new BeamByBruteForce.Query(
                                    hops,
                                    trial.oneOf(1, 3, 10),
                                    trial.oneOf(1L, 2L, Long.MAX_VALUE));
                    Beam.Query query =
                            new Beam.Query(
                                    hops.stream().map(hop -> allowed(trial, rules, hop)).toList(),
                                    rules.mediators(),
                                    asked.width(),
                                    asked.relationsPerNode(),
                                    Trial.limit(rules.maxDegree()));
                    trial.check(
                            asked + " " + Trial.ids(starts),
                            rules,
                            BeamByBruteForce.search(trial.edges(rules), Trial.ids(starts), asked),
                            view -> Beam.search(view, trial.numbers(starts), query, Trial.FREE),
                            BeamByBruteForce.Row::of);
                });
    }

    private static Map<String, Double> hop(Trial trial) {
        Map<String, Double> hop = new HashMap<>();
        for (String type : RandomGraph.TYPES) {
            for (String spec : List.of(type, ReferenceGraph.reversed(type))) {
                if (trial.number(2) == 0) {
                    hop.put(spec, trial.oneOf(0.1, 0.2, 0.3, 0.7, 1.0, 0.0, -0.5));
                }
            }
        }
        return hop;
    }

    private static Hop allowed(Trial trial, Rules rules, Map<String, Double> hop) {
        Hop.Builder allowed = new Hop.Builder(hop.size());
        hop.forEach(
                (spec, similarity) -> {
                    if (rules.allows(spec)) {
                        allowed.put(trial.step(spec), similarity);
                    }
                });
        return allowed.build();
    }
}
