package io.github.kgdb.kernel.reference;

import io.github.kgdb.graph.store.KnowledgeGraph;
import io.github.kgdb.graph.store.NameSource;

import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A small multigraph with parallel relationships, self-loops, mediators, repeated and missing
 * names, weights of some relationships, and a neighbor outside the graph. Every third has a node with more than 50 relationships,
 * which the store keeps in another form. Every second has two labels with names of their own.
 */
record RandomGraph(KnowledgeGraph graph, List<Node> nodes, Node outside) {
    static final List<String> TYPES = List.of("a", "b.c", "d `e`", "名前");
    static final List<String> LABELS = List.of("Red", "Blue");

    /** Their order by code point differs from the order of creation and from that of UTF-16. */
    private static final List<String> IDS =
            List.of("n5", "n10", "\uD835\uDC9C", "n", "\uFF5A", "n2", "N1", "天空");

    private static final int HUB_DEGREE = 60;

    static RandomGraph create(Transaction transaction, long seed) {
        Random random = new Random(seed);
        KnowledgeGraph graph = describe(seed);
        List<Node> nodes = new ArrayList<>();
        int size = 2 + random.nextInt(7);
        for (int i = 0; i < size; i++) {
            Node node = transaction.createNode(Label.label("Entity"));
            addGraphLabels(random, node, graph);
            node.setProperty("id", IDS.get(i));
            addLabels(random, node);
            if (random.nextInt(4) > 0) {
                node.setProperty(
                        "name", List.of("x", "y", "\uFF5A", "\uD835\uDC9C").get(random.nextInt(4)));
            }
            if (random.nextBoolean()) {
                node.setProperty("title", pick(random, List.of("t", "u")));
            }
            nodes.add(node);
        }
        Node outside = transaction.createNode(Label.label("Entity"), Label.label("Elsewhere"));
        outside.setProperty("id", "outside");
        addLabels(random, outside);
        List<Node> all = new ArrayList<>(nodes);
        all.add(outside);
        RandomGraph created = new RandomGraph(graph, nodes, outside);
        int relationships = random.nextInt(4 * size);
        for (int i = 0; i < relationships; i++) {
            relate(random, pick(random, all), pick(random, all));
        }
        if (seed % 3 == 0) {
            for (int i = 0; i < HUB_DEGREE; i++) {
                boolean out = random.nextBoolean();
                Node other = pick(random, all);
                relate(random, out ? nodes.get(0) : other, out ? other : nodes.get(0));
            }
        }
        return created;
    }

    private static KnowledgeGraph describe(long seed) {
        KnowledgeGraph ofLabel = KnowledgeGraph.ofLabel("g" + seed, "G" + seed);
        if (seed % 2 == 0) {
            return ofLabel;
        }
        String other = "H" + seed;
        return new KnowledgeGraph(
                ofLabel.name(),
                List.of("G" + seed, other),
                ofLabel.idProperty(),
                List.of(
                        ofLabel.names().get(0),
                        seed % 8 < 4
                                ? new NameSource(other, List.of("title"), seed % 3 == 0)
                                : new NameSource(other, List.of("name", "title"), false)),
                ofLabel.aliasProperties(),
                ofLabel.namesIndex(),
                true);
    }

    /** At least one of the labels. */
    private static void addGraphLabels(Random random, Node node, KnowledgeGraph graph) {
        node.addLabel(Label.label(pick(random, graph.labels())));
        if (random.nextInt(4) == 0) {
            node.addLabel(Label.label(pick(random, graph.labels())));
        }
    }

    /** Adds and deletes some relationships. */
    void change(Random random) {
        for (int i = 0; i < 5; i++) {
            relate(random, pick(random, nodes), pick(random, nodes));
        }
        pick(random, nodes).getRelationships().stream()
                .limit(3)
                .toList()
                .forEach(Relationship::delete);
    }

    void delete() {
        Stream.concat(nodes.stream(), Stream.of(outside))
                .forEach(
                        node -> {
                            node.getRelationships().forEach(Relationship::delete);
                            node.delete();
                        });
    }

    /** The same graph in another transaction. */
    RandomGraph in(Transaction transaction) {
        return new RandomGraph(
                graph,
                nodes.stream()
                        .map(node -> transaction.getNodeByElementId(node.getElementId()))
                        .toList(),
                transaction.getNodeByElementId(outside.getElementId()));
    }

    static <T> T pick(Random random, List<T> items) {
        return items.get(random.nextInt(items.size()));
    }

    private static void addLabels(Random random, Node node) {
        if (random.nextInt(3) == 0) {
            node.addLabel(Label.label("Mediator"));
        }
        LABELS.stream()
                .filter(label -> random.nextInt(3) > 0)
                .forEach(label -> node.addLabel(Label.label(label)));
    }

    private static void relate(Random random, Node from, Node to) {
        Relationship created =
                from.createRelationshipTo(to, RelationshipType.withName(pick(random, TYPES)));
        long weight = random.nextInt(4);
        if (weight > 0) {
            created.setProperty("weight", weight);
        }
    }
}
