package io.github.kgdb.cypher;

import org.neo4j.cypher.internal.util.InputPosition;

/**
 * A place in a script, both counted from 1.
 *
 * @param column in UTF-16 units, as the server counts them
 */
public record Place(int line, int column) {
    static final Place START = new Place(1, 1);

    static Place of(InputPosition position) {
        return new Place(position.line(), position.column());
    }

    /** Where the character at {@code offset} of {@code text} is. */
    static Place at(String text, int offset) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < Math.min(offset, text.length()); i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new Place(line, offset - lineStart + 1);
    }
}
