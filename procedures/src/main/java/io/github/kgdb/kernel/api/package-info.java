/**
 * What all kernels share: {@link io.github.kgdb.kernel.api.GraphReader}, through which they read a
 * graph, the values they exchange, and the limits they respect (time, memory, size of a result).
 * Nothing here or in the other kernel packages depends on Neo4j, so a kernel runs on any graph that
 * implements the reader.
 */
package io.github.kgdb.kernel.api;
