package io.github.kgdb.graph.store;

import java.util.List;

/**
 * Which nodes of a graph may be visited.
 *
 * @param labels one of which a node must carry, or none: any node
 * @param mediators whether mediators are told apart; they then need none of the labels
 */
public record NodeFilter(List<String> labels, boolean mediators) {}
