/**
 * The relation-aware beam search of GoT-R (equations 5 to 7). {@link
 * io.github.kgdb.kernel.beam.Beam} searches chains, {@link io.github.kgdb.kernel.beam.Match}
 * patterns that branch and join. Both extend {@link io.github.kgdb.kernel.beam.ScoredPath scored
 * paths} hop by hop through one {@link io.github.kgdb.kernel.beam.Expansion}.
 */
package io.github.kgdb.kernel.beam;
