/**
 * Personalized PageRank of a small graph of candidates (RoK, equations 2 and 3). {@link
 * io.github.kgdb.kernel.pagerank.CandidateGraph} builds the graph, {@link
 * io.github.kgdb.kernel.pagerank.PageRank} ranks its nodes.
 */
package io.github.kgdb.kernel.pagerank;
