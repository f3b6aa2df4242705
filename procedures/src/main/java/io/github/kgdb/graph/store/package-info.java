/**
 * Reads one graph from the store through Neo4j's kernel cursors: relationships, ids, names and
 * labels. {@link io.github.kgdb.graph.store.KnowledgeGraph} is the graph as its bookkeeping node
 * describes it. {@link io.github.kgdb.graph.store.CommittedState} says whether something that was
 * read earlier is still true.
 */
package io.github.kgdb.graph.store;
