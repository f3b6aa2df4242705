package io.github.kgdb.graph.sandbox;

import io.github.kgdb.graph.store.KnowledgeGraph;

import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Path;
import org.neo4j.graphdb.Relationship;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * Converts the result of a query into plain values: identities of nodes, relationships and paths,
 * and only the beginning of long texts and lists.
 */
final class PlainValues {
    private static final int MAX_TEXT_LENGTH = 10_000;
    private static final int VALUE_BYTES = 32;

    private final KnowledgeGraph graph;
    private final int longestList;
    private final long maxBytes;
    private long bytes;
    private boolean shortened;

    /**
     * @param longestList maximum items of each list
     * @param maxBytes maximum size of all values; what a list or map holds beyond is left out
     */
    PlainValues(KnowledgeGraph graph, int longestList, long maxBytes) {
        this.graph = graph;
        this.longestList = longestList;
        this.maxBytes = maxBytes;
    }

    boolean isFull() {
        return bytes > maxBytes;
    }

    /** The estimated heap size of all values so far. */
    long bytes() {
        return bytes;
    }

    /** Whether any text or list was shortened. */
    boolean wasShortened() {
        return shortened;
    }

    Object plain(Object value) {
        bytes += VALUE_BYTES;
        if (value instanceof String text) {
            return text(text);
        } else if (value instanceof Node node) {
            return node(node);
        } else if (value instanceof Relationship relationship) {
            return relationship(relationship);
        } else if (value instanceof Path path) {
            return path(path);
        } else if (value instanceof Map<?, ?> map) {
            return map(map);
        } else if (value instanceof Iterable<?> list) {
            return list(list);
        } else if (value != null && value.getClass().isArray()) {
            return array(value);
        }
        return value;
    }

    private String text(String text) {
        bytes += 2L * Math.min(text.length(), MAX_TEXT_LENGTH);
        if (text.length() <= MAX_TEXT_LENGTH) {
            return text;
        }
        shortened = true;
        boolean splitsPair = Character.isHighSurrogate(text.charAt(MAX_TEXT_LENGTH - 1));
        return text.substring(0, splitsPair ? MAX_TEXT_LENGTH - 1 : MAX_TEXT_LENGTH);
    }

    private Map<String, Object> node(Node node) {
        Map<String, Object> plain = new LinkedHashMap<>();
        plain.put("id", plain(graph.id(node)));
        plain.put("name", plain(graph.name(node)));
        plain.put(
                "labels",
                list(
                        StreamSupport.stream(node.getLabels().spliterator(), false)
                                .map(Label::name)
                                .sorted()
                                .toList()));
        return plain;
    }

    private Map<String, Object> relationship(Relationship relationship) {
        Map<String, Object> plain = new LinkedHashMap<>();
        plain.put("relation", plain(relationship.getType().name()));
        plain.put("source", plain(graph.id(relationship.getStartNode())));
        plain.put("target", plain(graph.id(relationship.getEndNode())));
        return plain;
    }

    /**
     * Id, relation, id and so on, with ^ before a relation that the path follows against its
     * direction.
     */
    private List<Object> path(Path path) {
        List<Object> plain = new ArrayList<>();
        Node at = path.startNode();
        plain.add(plain(graph.id(at)));
        for (Relationship relationship : path.relationships()) {
            boolean along = relationship.getStartNode().equals(at);
            String type = relationship.getType().name();
            plain.add(plain(along ? type : "^" + type));
            at = relationship.getOtherNode(at);
            plain.add(plain(graph.id(at)));
        }
        return plain;
    }

    private Map<String, Object> map(Map<?, ?> map) {
        Map<String, Object> plain = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (isFull()) {
                shortened = true;
                break;
            }
            plain.put(String.valueOf(entry.getKey()), plain(entry.getValue()));
        }
        return plain;
    }

    private List<Object> list(Iterable<?> list) {
        List<Object> plain = new ArrayList<>();
        for (Object item : list) {
            if (plain.size() == longestList || isFull()) {
                shortened = true;
                break;
            }
            plain.add(plain(item));
        }
        return plain;
    }

    private List<Object> array(Object array) {
        List<Object> plain = new ArrayList<>();
        int kept = Math.min(Array.getLength(array), longestList);
        shortened |= kept < Array.getLength(array);
        for (int i = 0; i < kept; i++) {
            plain.add(plain(Array.get(array, i)));
        }
        return plain;
    }
}
