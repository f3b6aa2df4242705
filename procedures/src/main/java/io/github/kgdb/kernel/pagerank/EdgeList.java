package io.github.kgdb.kernel.pagerank;

/** Directed edges by the store's numbers of their ends; one that is there twice counts twice. */
public record EdgeList(long[] sources, long[] targets) {}
