/**
 * A copy of a whole graph in memory, in compressed sparse row form, for calls with {@code inMemory:
 * true}. {@link io.github.kgdb.graph.csr.CsrGraphCache} keeps the latest copy of each graph until
 * the next commit.
 */
package io.github.kgdb.graph.csr;
