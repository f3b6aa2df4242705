/**
 * Turns what callers pass (nodes, ids, edges, relations) into the store's numbers, and refuses what
 * does not exist.
 */
package io.github.kgdb.graph.arguments;
