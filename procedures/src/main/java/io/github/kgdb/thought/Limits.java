package io.github.kgdb.thought;

/**
 * What a script may have at most. Nothing in the language nests, so that these bound everything.
 *
 * @param maxLength code points of the whole text, prose around a fence included
 * @param maxNodes different nodes
 * @param maxRelationships different relationships
 * @param maxListLength items of a list value
 */
public record Limits(int maxLength, int maxNodes, int maxRelationships, int maxListLength) {
    /** More is never allowed: within these a script is read and run in milliseconds. */
    public static final Limits HIGHEST = new Limits(20_000, 500, 500, 100);
}
