package io.github.kgdb.kernel.beam;

import io.github.kgdb.kernel.api.GraphView;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.SaturatedMath;

import org.eclipse.collections.api.iterator.LongIterator;
import org.eclipse.collections.api.map.primitive.LongDoubleMap;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * Reads the part of a pattern between its grounded variables before the search: each edge once,
 * from the cheaper end, the cheapest edge first. Entities that no match can contain are removed, so
 * that they take no room in the beam: the semi-joins of Yannakakis, "Algorithms for acyclic
 * database schemes" (VLDB 1981).
 */
final class SemiJoins {
    /** An edge that costs more to read from either end is left to the search. */
    private static final long MAX_READ = 250_000;

    private static final long ARC_BYTES = 150;

    private record Reading(int edge, boolean backwards) {}

    private final GraphView view;
    private final List<Pattern.Edge> edges;
    private final EdgeHops hops;
    private final Expansion expansion;
    private final MemoryBudget.Account account;
    private final LongDoubleMap[] domains;
    private final EdgeTable[] tables;
    private boolean impossible;

    private SemiJoins(
            GraphView view,
            Pattern pattern,
            EdgeHops hops,
            Expansion expansion,
            MemoryBudget.Account account) {
        this.view = view;
        this.edges = pattern.edges();
        this.hops = hops;
        this.expansion = expansion;
        this.account = account;
        this.domains = pattern.groundings().toArray(LongDoubleMap[]::new);
        this.tables = new EdgeTable[edges.size()];
    }

    /**
     * @param account must stay open while the semi-joins are used
     */
    static SemiJoins read(
            GraphView view,
            Pattern pattern,
            EdgeHops hops,
            Expansion expansion,
            MemoryBudget.Account account) {
        SemiJoins joins = new SemiJoins(view, pattern, hops, expansion, account);
        BitSet readable = new BitSet();
        pattern.between().stream()
                .filter(edge -> expansion.goesEitherWay(hops.over(edge, false)))
                .forEach(readable::set);
        joins.read(readable);
        return joins;
    }

    /** Whether some required edge has no match. */
    boolean isImpossible() {
        return impossible;
    }

    /** The candidates of a variable, with what each adds to the score; null: any entity. */
    LongDoubleMap domain(int variable) {
        return domains[variable];
    }

    /** The matches of an edge; null if they were not read. */
    EdgeTable table(int edge) {
        return tables[edge];
    }

    private void read(BitSet unread) {
        Deque<Integer> lastFirst = new ArrayDeque<>();
        for (Reading next = cheapest(unread); next != null; next = cheapest(unread)) {
            EdgeTable table = table(next);
            if (table.isEmpty()) {
                impossible = true;
                return;
            }
            tables[next.edge()] = table;
            narrow(next.edge());
            unread.clear(next.edge());
            lastFirst.push(next.edge());
        }
        for (int edge : lastFirst) {
            view.termination().check();
            LongDoubleMap sources = domains[edges.get(edge).source()];
            LongDoubleMap targets = domains[edges.get(edge).target()];
            tables[edge] = tables[edge].between(sources, targets);
            narrow(edge);
        }
    }

    private void narrow(int edge) {
        int source = edges.get(edge).source();
        int target = edges.get(edge).target();
        domains[source] = tables[edge].touched(domains[source], false);
        domains[target] = tables[edge].touched(domains[target], true);
    }

    /** Null if no edge is left, or none that may be read. */
    private Reading cheapest(BitSet unread) {
        List<Reading> readings = new ArrayList<>();
        unread.stream()
                .forEach(
                        edge -> {
                            readings.add(new Reading(edge, false));
                            readings.add(new Reading(edge, true));
                        });
        readings.removeIf(reading -> origins(reading) == null);
        // Fewest origins first: they give a low bound early, at which counting the others stops.
        readings.sort(Comparator.comparingInt(reading -> origins(reading).size()));
        Reading cheapest = null;
        long min = MAX_READ + 1;
        for (Reading reading : readings) {
            long readCost = readCost(reading, min);
            if (readCost < min) {
                min = readCost;
                cheapest = reading;
            }
        }
        return cheapest;
    }

    /** The number of nodes and relationships to read, at most {@code max}. */
    private long readCost(Reading reading, long max) {
        Hop hop = hops.over(reading.edge(), reading.backwards());
        LongIterator origins = origins(reading).keysView().longIterator();
        long readCost = 0;
        while (origins.hasNext() && readCost < max) {
            view.termination().check();
            long degree = expansion.readCostUpTo(max - readCost, origins.next(), hop);
            readCost = SaturatedMath.plus(readCost, SaturatedMath.plus(degree, 1));
        }
        return Math.min(readCost, max);
    }

    private LongDoubleMap origins(Reading reading) {
        Pattern.Edge edge = edges.get(reading.edge());
        return domains[reading.backwards() ? edge.target() : edge.source()];
    }

    private EdgeTable table(Reading reading) {
        Pattern.Edge edge = edges.get(reading.edge());
        LongDoubleMap arrivals = domains[reading.backwards() ? edge.source() : edge.target()];
        Hop hop = hops.over(reading.edge(), reading.backwards());
        List<EdgeTable.Arc> arcs = new ArrayList<>();
        origins(reading)
                .forEachKey(
                        origin ->
                                expansion.read(
                                        origin,
                                        hop,
                                        arrivals,
                                        (step, node, parallels) -> {
                                            account.allocate(ARC_BYTES);
                                            EdgeTable.Arc arc =
                                                    new EdgeTable.Arc(
                                                            origin, step, node, parallels);
                                            arcs.add(reading.backwards() ? arc.reversed() : arc);
                                        }));
        return new EdgeTable(arcs);
    }
}
