/**
 * What earlier calls have read, kept until the next commit: adjacency lists of hubs, and ids and
 * names of entities. {@link io.github.kgdb.graph.cache.CachingGraphReader} and {@link
 * io.github.kgdb.graph.cache.CachingDictionary} read from the caches first and from the store
 * second.
 */
package io.github.kgdb.graph.cache;
