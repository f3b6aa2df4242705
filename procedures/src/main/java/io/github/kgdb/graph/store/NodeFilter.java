package io.github.kgdb.graph.store;

import java.util.List;

/**
 * The nodes of a graph that may be visited.
 *
 * @param labels a node must have at least one of these; empty: any node
 * @param mediators whether mediators are distinguished; they then need none of the labels
 */
public record NodeFilter(List<String> labels, boolean mediators) {}
