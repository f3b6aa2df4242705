/** The full-text and vector indexes over the names of one graph, read without Cypher. */
package io.github.kgdb.graph.names;
