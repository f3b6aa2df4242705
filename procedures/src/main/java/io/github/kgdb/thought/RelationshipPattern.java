package io.github.kgdb.thought;

import java.util.Map;

/**
 * A relationship as one place of the script has it.
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
