package io.github.kgdb.thought;

import java.util.Map;
import java.util.Set;

/**
 * A node as one place of the script has it.
 *
 * @param variable null for none
 * @param start offset of its variable, or of its parenthesis where there is none
 */
record NodePattern(
        String variable, Set<String> labels, Map<String, Object> properties, int start) {}
