/**
 * Decides which Cypher a language model may run, and rewrites it so that it stays inside one graph
 * and inside its limits. The server's own parser reads the query; {@link
 * io.github.kgdb.cypher.ReadQuery} is the entry. The guard functions that a rewritten query calls
 * end here, in {@link io.github.kgdb.cypher.RunningQuery}.
 */
package io.github.kgdb.cypher;
