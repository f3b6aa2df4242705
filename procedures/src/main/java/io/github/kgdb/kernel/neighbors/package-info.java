/**
 * One hop around a set of nodes: {@link io.github.kgdb.kernel.neighbors.Neighbors} returns the
 * neighbors, {@link io.github.kgdb.kernel.neighbors.RelationsAround} the relations and their
 * counts.
 */
package io.github.kgdb.kernel.neighbors;
