/**
 * Follows one exact chain of relations. {@link io.github.kgdb.kernel.follow.LayeredGraph} holds the
 * nodes that each step reaches; paths are counted layer by layer, or enumerated where a relation
 * occurs twice. {@link io.github.kgdb.kernel.follow.Follow} is the entry.
 */
package io.github.kgdb.kernel.follow;
