package io.github.kgdb.kernel.pagerank;

/** Directed edges between nodes, as the store's numbers. A duplicate counts twice. */
public record EdgeList(long[] sources, long[] targets) {}
