/**
 * Finds the entities that a mention may mean. Indexes propose candidates ({@link
 * io.github.kgdb.kernel.linking.NameIndex}); {@link io.github.kgdb.kernel.linking.NameSimilarity}
 * compares each candidate's names with the mention. Python computes the same similarity: change
 * both together.
 */
package io.github.kgdb.kernel.linking;
