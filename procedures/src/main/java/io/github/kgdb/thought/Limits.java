package io.github.kgdb.thought;

/**
 * The limits of a script. Nothing in the language nests, so these bound everything.
 *
 * @param maxLength code points of the whole text, with the prose around a fence
 * @param maxNodes distinct nodes
 * @param maxRelationships distinct relationships
 * @param maxListLength items of a list value
 */
public record Limits(int maxLength, int maxNodes, int maxRelationships, int maxListLength) {
    /** The upper bounds of all limits: within them, a script is parsed and run in milliseconds. */
    public static final Limits HIGHEST = new Limits(20_000, 500, 500, 100);
}
