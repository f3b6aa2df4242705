/**
 * Runs what language models write. {@link io.github.kgdb.graph.sandbox.CypherReader} runs queries
 * that can only read; {@link io.github.kgdb.graph.sandbox.ThoughtTransaction} creates a graph of
 * thought, reads it back and rolls it back. Both use an {@link
 * io.github.kgdb.graph.sandbox.InnerTransaction}, apart from the caller's transaction.
 */
package io.github.kgdb.graph.sandbox;
