package io.github.kgdb.graph.arguments;

import java.util.List;

/**
 * The start nodes of a call, as the store's numbers.
 *
 * @param sets each in the order given, each node once
 * @param isBatch whether the caller gave a list of lists
 */
public record StartSets(List<long[]> sets, boolean isBatch) {}
