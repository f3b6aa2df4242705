/**
 * Simple paths between pairs of nodes, by bidirectional search. Two {@link
 * io.github.kgdb.kernel.paths.DistanceFrontier frontiers} grow towards each other until they cover
 * a path; {@link io.github.kgdb.kernel.paths.MiddleHop} joins them where that is cheaper than
 * growing one further. {@link io.github.kgdb.kernel.paths.Paths} is the entry.
 */
package io.github.kgdb.kernel.paths;
