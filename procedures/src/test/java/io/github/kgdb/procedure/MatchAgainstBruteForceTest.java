package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.TestDatabase;
import io.github.kgdb.Trials;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * On random multigraphs, a match equals the result of trying every assignment of every
 * relationship, and chains give what the beam gives.
 */
class MatchAgainstBruteForceTest {
    private static final int GRAPHS = Trials.of(60);
    private static final int PATTERNS = 5;
    private static final List<String> RELATIONS = List.of("p", "q", "r");

    @AutoClose private static final TestDatabase database = TestDatabase.with();

    private record Fact(int source, String relation, int target) {}

    private record Edge(int source, int target, Map<String, Double> similarities) {}

    /** A match, with the number of choices of parallel relationships. */
    private record ReferenceMatch(Map<String, String> ids, List<String> relations, double score) {}

    @Test
    void everyEmbeddingIsFoundOnce() {
        int nonEmpty = 0;
        for (int seed = 0; seed < GRAPHS; seed++) {
            Random random = new Random(seed);
            int nodes = 3 + random.nextInt(4);
            List<Fact> facts = facts(random, nodes);
            store(seed, nodes, facts);
            for (int i = 0; i < PATTERNS; i++) {
                List<Edge> pattern = pattern(random);
                Map<Integer, Set<Integer>> grounding = grounding(random, pattern, nodes);
                Map<ReferenceMatch, Long> expected = new HashMap<>();
                assign(facts, pattern, grounding, new ArrayList<>(), expected);
                assertEquals(
                        expected,
                        found(seed, pattern, grounding),
                        "graph " + facts + " pattern " + pattern + " grounding " + grounding);
                nonEmpty += expected.isEmpty() ? 0 : 1;
            }
        }
        assertTrue(nonEmpty > GRAPHS * PATTERNS / 5, "patterns found at all: " + nonEmpty);
    }

    @Test
    void aChainIsABeam() {
        for (int seed = 0; seed < GRAPHS; seed++) {
            Random random = new Random(seed);
            int nodes = 3 + random.nextInt(4);
            store(1000 + seed, nodes, facts(random, nodes));
            int length = 1 + random.nextInt(3);
            List<Map<String, Double>> hops =
                    IntStream.range(0, length).mapToObj(hop -> similarities(random)).toList();
            Map<String, Object> parameters =
                    Map.of(
                            "kg",
                            "g" + (1000 + seed),
                            "hops",
                            hops,
                            "width",
                            1 + random.nextInt(6),
                            "perNode",
                            random.nextInt(3),
                            "cap",
                            random.nextInt(8));
            String config = "{kg: $kg, width: $width, relationsPerNode: $perNode, maxDegree: $cap";
            List<Map<String, Object>> beam =
                    database.rows(
                            "CALL kgdb.beam(['n0', 'n1'], $hops, "
                                    + config
                                    + "}) YIELD score, ids, relations, count, cut RETURN *",
                            parameters);
            List<Map<String, Object>> match =
                    database.rows(
                            "WITH [i IN range(0, size($hops) - 1) | {source: 'v' + i, type: 't' +"
                                    + " i, target: 'v' + (i + 1)}] AS edges CALL"
                                    + " kgdb.got.match({relationships: edges}, {nodes: {v0: ['n0',"
                                    + " 'n1']}, relations: $relations}, "
                                    + config
                                    + ", limit: $width}) YIELD score, ids, relations, count, cut"
                                    + " RETURN score, [i IN range(0, size($hops)) | ids['v' + i]]"
                                    + " AS ids, [each IN relations | each[0]] AS relations, count,"
                                    + " cut",
                            with(parameters, "relations", byType(hops)));
            assertEquals(withoutNulls(beam), withoutNulls(match), "seed " + seed);
        }
    }

    /**
     * A row that only lists limits has null lists in one procedure and lists of null in the other.
     */
    private static List<List<Object>> withoutNulls(List<Map<String, Object>> rows) {
        return rows.stream()
                .map(
                        row ->
                                row.get("score") == null
                                        ? List.of(row.get("cut"))
                                        : Arrays.asList(
                                                row.get("score"),
                                                row.get("ids"),
                                                row.get("relations"),
                                                row.get("count"),
                                                row.get("cut")))
                .toList();
    }

    private static Map<String, Object> byType(List<Map<String, Double>> hops) {
        Map<String, Object> relations = new HashMap<>();
        for (int i = 0; i < hops.size(); i++) {
            relations.put("t" + i, hops.get(i));
        }
        return relations;
    }

    private static Map<String, Object> with(Map<String, Object> map, String key, Object value) {
        Map<String, Object> more = new HashMap<>(map);
        more.put(key, value);
        return more;
    }

    private static List<Fact> facts(Random random, int nodes) {
        return IntStream.range(0, 3 + random.nextInt(3 * nodes))
                .mapToObj(
                        i ->
                                new Fact(
                                        random.nextInt(nodes),
                                        RELATIONS.get(random.nextInt(RELATIONS.size())),
                                        random.nextInt(nodes)))
                .toList();
    }

    private static void store(int seed, int nodes, List<Fact> facts) {
        database.rows(
                "CREATE (:KnowledgeGraph {name: 'g' + $seed, label: 'G' + $seed})"
                        // The graph may have no facts of a relation that it lists.
                        + " FOREACH (r IN $relations | CREATE (:Relation {kg: 'g' + $seed, id: r}))"
                        + " WITH 1 AS one UNWIND range(0, $nodes - 1) AS i"
                        + " CREATE (:Entity:$('G' + $seed) {id: 'n' + i})",
                Map.of("seed", seed, "nodes", nodes, "relations", RELATIONS));
        for (Fact fact : facts) {
            database.rows(
                    "MATCH (s:$('G' + $seed) {id: $s}), (t:$('G' + $seed) {id: $t})"
                            + " CREATE (s)-[:$($r)]->(t)",
                    Map.of(
                            "seed",
                            seed,
                            "s",
                            "n" + fact.source(),
                            "r",
                            fact.relation(),
                            "t",
                            "n" + fact.target()));
        }
    }

    /** Connected: each edge but the first touches an earlier one. */
    private static List<Edge> pattern(Random random) {
        List<Edge> edges = new ArrayList<>();
        int variables = 1;
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
            int known = random.nextInt(variables);
            int other = random.nextInt(variables + 1);
            variables = Math.max(variables, other + 1);
            boolean forwards = random.nextBoolean();
            edges.add(
                    new Edge(
                            forwards ? known : other,
                            forwards ? other : known,
                            similarities(random)));
        }
        return edges;
    }

    /** Sums of quarters are exact, whatever the order in which they are added. */
    private static Map<String, Double> similarities(Random random) {
        Map<String, Double> similarities = new TreeMap<>();
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            String relation = RELATIONS.get(random.nextInt(RELATIONS.size()));
            similarities.put(
                    random.nextBoolean() ? relation : "^" + relation, random.nextInt(5) / 4.0);
        }
        return similarities;
    }

    private static Map<Integer, Set<Integer>> grounding(
            Random random, List<Edge> pattern, int nodes) {
        Map<Integer, Set<Integer>> grounding = new TreeMap<>();
        for (Edge edge : pattern) {
            for (int variable : List.of(edge.source(), edge.target())) {
                if (grounding.isEmpty() || random.nextInt(5) == 0) {
                    Set<Integer> entities = new HashSet<>();
                    for (int i = 0; i < 1 + random.nextInt(3); i++) {
                        entities.add(random.nextInt(nodes));
                    }
                    grounding.put(variable, entities);
                }
            }
        }
        return grounding;
    }

    /** Tries every fact for every edge, but each fact for one edge only. */
    private static void assign(
            List<Fact> facts,
            List<Edge> pattern,
            Map<Integer, Set<Integer>> grounding,
            List<Integer> chosen,
            Map<ReferenceMatch, Long> found) {
        if (chosen.size() == 2 * pattern.size()) {
            tell(facts, pattern, grounding, chosen, found);
            return;
        }
        for (int fact = 0; fact < facts.size(); fact++) {
            boolean used = false;
            for (int i = 0; i < chosen.size(); i += 2) {
                used |= chosen.get(i) == fact;
            }
            for (int against = 0; against < 2 && !used; against++) {
                chosen.add(fact);
                chosen.add(against);
                assign(facts, pattern, grounding, chosen, found);
                chosen.subList(chosen.size() - 2, chosen.size()).clear();
            }
        }
    }

    private static void tell(
            List<Fact> facts,
            List<Edge> pattern,
            Map<Integer, Set<Integer>> grounding,
            List<Integer> chosen,
            Map<ReferenceMatch, Long> found) {
        Map<Integer, Integer> bound = new TreeMap<>();
        List<String> relations = new ArrayList<>();
        double score = 0;
        for (int i = 0; i < pattern.size(); i++) {
            Fact fact = facts.get(chosen.get(2 * i));
            boolean against = chosen.get(2 * i + 1) == 1;
            String spec = (against ? "^" : "") + fact.relation();
            Edge edge = pattern.get(i);
            Integer from = against ? fact.target() : fact.source();
            Integer to = against ? fact.source() : fact.target();
            Double similarity = edge.similarities().get(spec);
            if (similarity == null
                    || !from.equals(bound.computeIfAbsent(edge.source(), unseen -> from))
                    || !to.equals(bound.computeIfAbsent(edge.target(), unseen -> to))) {
                return;
            }
            relations.add(spec);
            score += similarity;
        }
        Map<String, String> ids = new TreeMap<>();
        for (Map.Entry<Integer, Integer> entry : bound.entrySet()) {
            Set<Integer> allowed = grounding.get(entry.getKey());
            if (allowed != null && !allowed.contains(entry.getValue())) {
                return;
            }
            ids.put("v" + entry.getKey(), "n" + entry.getValue());
        }
        found.merge(new ReferenceMatch(ids, relations, score), 1L, Long::sum);
    }

    @SuppressWarnings("unchecked")
    private static Map<ReferenceMatch, Long> found(
            int seed, List<Edge> pattern, Map<Integer, Set<Integer>> grounding) {
        List<Map<String, Object>> edges = new ArrayList<>();
        Map<String, Object> relations = new HashMap<>();
        for (int i = 0; i < pattern.size(); i++) {
            edges.add(
                    Map.of(
                            "source", "v" + pattern.get(i).source(),
                            "type", "t" + i,
                            "target", "v" + pattern.get(i).target()));
            relations.put("t" + i, pattern.get(i).similarities());
        }
        Map<String, Object> nodes = new HashMap<>();
        grounding.forEach(
                (variable, ids) ->
                        nodes.put("v" + variable, ids.stream().map(id -> "n" + id).toList()));
        Map<ReferenceMatch, Long> found = new HashMap<>();
        for (Map<String, Object> row :
                database.rows(
                        "CALL kgdb.got.match($thought, $grounding, {kg: 'g' + $seed, width:"
                                + " 100000, limit: 100000}) YIELD ids, relations, score, count",
                        Map.of(
                                "thought", Map.of("relationships", edges),
                                "grounding", Map.of("nodes", nodes, "relations", relations),
                                "seed", seed))) {
            List<String> specs =
                    ((List<List<String>>) row.get("relations"))
                            .stream().map(each -> each.get(0)).toList();
            ReferenceMatch key =
                    new ReferenceMatch(
                            new TreeMap<>((Map<String, String>) row.get("ids")),
                            specs,
                            (double) row.get("score"));
            assertEquals(null, found.put(key, (long) row.get("count")), "told twice: " + key);
        }
        return found;
    }
}
