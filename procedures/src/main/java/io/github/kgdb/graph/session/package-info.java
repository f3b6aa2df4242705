/**
 * One graph as one call sees it. {@link io.github.kgdb.graph.session.GraphSession} puts the
 * readers, caches and indexes of the other graph packages together; {@link
 * io.github.kgdb.graph.session.KnowledgeGraphCache} keeps them from call to call.
 */
package io.github.kgdb.graph.session;
