package io.github.kgdb.thought;

import java.util.Map;
import java.util.Set;

/**
 * One occurrence of a node in the script.
 *
 * @param variable null for none
 * @param start offset of its variable, or of its parenthesis if it has none
 */
record NodePattern(
        String variable, Set<String> labels, Map<String, Object> properties, int start) {}
