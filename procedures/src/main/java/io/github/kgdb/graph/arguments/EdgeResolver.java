package io.github.kgdb.graph.arguments;

import io.github.kgdb.CypherValues;
import io.github.kgdb.KgdbException;
import io.github.kgdb.kernel.api.Termination;
import io.github.kgdb.kernel.api.TerminationTicker;
import io.github.kgdb.kernel.pagerank.EdgeList;

import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.neo4j.graphdb.Relationship;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Turns edges, as callers pass them, into the store's numbers of their ends. */
public final class EdgeResolver {
    private final NodeResolver nodes;
    private final Map<String, Long> resolved = new HashMap<>();
    private final TerminationTicker ticker;

    public EdgeResolver(NodeResolver nodes, Termination termination) {
        this.ticker = new TerminationTicker(termination);
        this.nodes = nodes;
    }

    public EdgeList edges(String argument, Object relationships) {
        if (!(relationships instanceof List<?> items)) {
            throw wrong(argument, relationships);
        }
        LongArrayList sources = new LongArrayList(items.size());
        LongArrayList targets = new LongArrayList(items.size());
        for (Object item : items) {
            ticker.tick();
            if (item instanceof Relationship relationship) {
                sources.add(nodes.number(argument, relationship.getStartNode()));
                targets.add(nodes.number(argument, relationship.getEndNode()));
            } else if (item instanceof List<?> pair
                    && pair.size() == 2
                    && pair.get(0) instanceof String source
                    && pair.get(1) instanceof String target) {
                sources.add(number(argument, source));
                targets.add(number(argument, target));
            } else {
                throw wrong(argument, item);
            }
        }
        return new EdgeList(sources.toArray(), targets.toArray());
    }

    private long number(String argument, String id) {
        return resolved.computeIfAbsent(id, unseen -> nodes.single(argument, id));
    }

    private static KgdbException wrong(String argument, Object value) {
        return KgdbException.usage(
                argument
                        + ": expected a LIST of RELATIONSHIPs or of [source id, target id] LISTs,"
                        + " got "
                        + CypherValues.describe(value));
    }
}
