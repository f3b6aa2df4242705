package io.github.kgdb.kernel;

/** What a kernel works with: a graph, its names, and the two things that can end the call. */
public record GraphView(
        GraphReader graph, Dictionary dictionary, Termination termination, MemoryBudget memory) {}
