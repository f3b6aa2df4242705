package io.github.kgdb.thought;

import java.util.Map;

/**
 * One occurrence of a relationship in the script.
 *
 * @param variable null for none
 * @param start offset of its first character
 */
record RelationshipPattern(
        String variable, String type, Map<String, Object> properties, Arrow arrow, int start) {
    enum Arrow {
        RIGHT,
        LEFT,
        NONE
    }
}
