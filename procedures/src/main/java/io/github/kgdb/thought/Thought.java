package io.github.kgdb.thought;

import java.util.List;
import java.util.Map;

/** A graph of thought: what a script creates, independent of how it was written. */
public record Thought(List<Node> nodes, List<Relationship> relationships) implements ParsedScript {
    private static final List<String> NAMING_PROPERTIES = List.of("name", "id");

    public Thought {
        nodes = List.copyOf(nodes);
        relationships = List.copyOf(relationships);
    }

    /**
     * @param variable the first one that declared it, null for none
     * @param properties in the order written; a value is a String, Long, Double, Boolean or a List
     *     of one of these types
     */
    public record Node(String variable, List<String> labels, Map<String, Object> properties) {}

    /**
     * @param source position among the nodes
     * @param target position among the nodes
     */
    public record Relationship(
            int source, String type, int target, Map<String, Object> properties) {}

    /**
     * The name to show for a node: its name, or its id, or its first text, or its variable, or its
     * number (from 1).
     */
    public String displayName(int position) {
        Node node = nodes.get(position);
        for (String key : NAMING_PROPERTIES) {
            Object value = node.properties().get(key);
            if (value != null && !(value instanceof List<?>) && !value.equals("")) {
                return value.toString();
            }
        }
        for (Object value : node.properties().values()) {
            if (value instanceof String text && !text.isEmpty()) {
                return text;
            }
        }
        return node.variable() != null ? node.variable() : "_" + (position + 1);
    }

    /** Head, relation and tail of each relationship, by display name. */
    public List<List<String>> triples() {
        return relationships.stream()
                .map(
                        relationship ->
                                List.of(
                                        displayName(relationship.source()),
                                        relationship.type(),
                                        displayName(relationship.target())))
                .toList();
    }
}
