package io.github.kgdb.graph.store;

import java.util.List;

/**
 * Where the nodes of a label have their names. The values of several properties are joined by a
 * space: a first and a last name.
 *
 * @param label the label, or null: any node
 * @param withLabel whether the label stands before the value, as in "Order 10248"
 */
public record NameSource(String label, List<String> properties, boolean withLabel) {
    /** The only property whose value is the name as it is, or null. */
    public String onlyProperty() {
        return properties.size() == 1 && !withLabel ? properties.get(0) : null;
    }

    /**
     * The name from the values of the properties.
     *
     * @return null if a value is missing
     */
    String name(String[] values) {
        StringBuilder name = new StringBuilder(withLabel ? label : "");
        for (String value : values) {
            if (value == null) {
                return null;
            }
            name.append(name.isEmpty() ? "" : " ").append(value);
        }
        return name.toString();
    }
}
