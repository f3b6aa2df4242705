package io.github.kgdb.kernel.beam;

import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.api.EntityMemo;
import io.github.kgdb.kernel.api.GraphView;
import io.github.kgdb.kernel.api.KernelResult;
import io.github.kgdb.kernel.api.Limit;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.RelationStep;
import io.github.kgdb.kernel.api.SaturatedMath;
import io.github.kgdb.kernel.api.TerminationTicker;
import io.github.kgdb.kernel.api.TopK;
import io.github.kgdb.kernel.api.Truncation;

import org.eclipse.collections.api.map.primitive.LongDoubleMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongDoubleHashMap;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Finds a graph of thought in the knowledge graph: GoT-R's relation-aware search (equations 5 to 7)
 * on patterns that branch and join. The search extends partial matches edge by edge, always by the
 * edge that is cheapest to read, and keeps the best. On a chain it equals {@link Beam}.
 */
public final class Match {
    /**
     * @param mediators whether an edge of the pattern may lead through a mediator
     * @param width beam width: partial matches kept after each edge
     * @param limit maximum matches to return
     * @param relationsPerNode the most similar relations to follow from one node
     * @param maxDegree a node with more relationships to follow is not expanded
     */
    public record Query(
            Pattern pattern,
            boolean mediators,
            int width,
            int limit,
            long relationsPerNode,
            long maxDegree) {}

    /**
     * @param bindings per variable an entity, or null if only optional edges lead to it
     * @param edges per edge of the pattern its match in the graph
     * @param count the number of matches that differ from this one only in parallel relationships
     */
    public record Row(List<Entity> bindings, List<Evidence> edges, double score, long count) {}

    /**
     * The match of one edge of the pattern: one relation, two with a mediator between, or none.
     *
     * @param entities from the source to the target
     * @param relations between them, with {@code ^} if followed against their direction
     * @param similarity what the edge adds to the score
     */
    public record Evidence(List<Entity> entities, List<String> relations, double similarity) {
        /** [head id, relation, tail id], as the graph states them. */
        public List<List<String>> triples() {
            return IntStream.range(0, relations.size())
                    .mapToObj(i -> triple(entities.get(i), relations.get(i), entities.get(i + 1)))
                    .toList();
        }

        private static List<String> triple(Entity from, String spec, Entity to) {
            return spec.startsWith("^")
                    ? List.of(to.id(), spec.substring(1), from.id())
                    : List.of(from.id(), spec, to.id());
        }
    }

    private static final int NONE = -1;
    private static final long MATCH_BYTES = 300;

    /** For each variable and edge of a partial match: a reference; what it refers to is shared. */
    private static final long PART_BYTES = 8;

    /** For each variable and edge of a row: an id and a name, or relations and facts. */
    private static final long ROW_PART_BYTES = 450;

    /** What remains of a partial match after its extension: the path that its extensions share. */
    private static final long PATH_BYTES = 150;

    private final GraphView view;
    private final Query query;
    private final List<Pattern.Edge> edges;
    private final EdgeHops hops;
    private final Truncation truncation = new Truncation();
    private final Expansion expansion;
    private final ScoredPathOrder paths;
    private final Comparator<PartialMatch> order;
    private final EntityMemo entities;
    private final MemoryBudget.Account account;
    private final SemiJoins joins;
    private final TerminationTicker ticker;
    private final int parts;
    private int held;

    private Match(
            GraphView view,
            Query query,
            MemoryBudget.Account account,
            MemoryBudget.Account scratch) {
        this.view = view;
        this.ticker = new TerminationTicker(view.termination());
        this.account = account;
        this.query = query;
        this.parts = query.pattern().variables() + query.pattern().edges().size();
        this.edges = query.pattern().edges();
        this.hops = new EdgeHops(query.pattern());
        this.paths = new ScoredPathOrder(view);
        this.order = Comparator.comparing(PartialMatch::path, paths);
        this.entities = new EntityMemo(view, account);
        this.expansion =
                new Expansion(
                        view,
                        query.mediators(),
                        query.relationsPerNode(),
                        query.maxDegree(),
                        truncation);
        this.joins = SemiJoins.read(view, query.pattern(), hops, expansion, scratch);
    }

    /**
     * Rows ordered by score (largest first), then the ids of their nodes and their relations in the
     * order in which the edges were matched. Every edge of the pattern must be connected to a
     * grounded variable: see {@link Pattern#unreachable}.
     */
    public static KernelResult<Row> find(
            GraphView view, Query query, MemoryBudget.Account account) {
        try (MemoryBudget.Account scratch = view.memory().open()) {
            Match search = new Match(view, query, account, scratch);
            List<Row> rows = search.search().stream().map(search::row).toList();
            return KernelResult.of(rows, search.truncation, view);
        }
    }

    private List<PartialMatch> search() {
        if (joins.isImpossible()) {
            return List.of();
        }
        List<PartialMatch> matches = List.of(PartialMatch.empty(query.pattern()));
        BitSet open = new BitSet();
        open.set(0, edges.size());
        BitSet bound = new BitSet();
        while (!open.isEmpty() && !matches.isEmpty()) {
            view.termination().check();
            int start = start(open, bound);
            if (start != NONE) {
                matches = bind(matches, start);
                bound.set(start);
            } else {
                int edge = cheapest(open, bound, matches);
                open.clear(edge);
                matches = extend(matches, edge, open.isEmpty());
                bound.set(edges.get(edge).source());
                bound.set(edges.get(edge).target());
            }
        }
        return matches.stream().sorted(order).toList();
    }

    /**
     * The variable to bind next without following an edge: the one with the fewest candidates, if
     * no required edge touches a bound variable or, at the end, if no edge does. {@link #NONE}
     * while edges can be followed.
     */
    private int start(BitSet open, BitSet bound) {
        if (touching(open, bound, true).length > 0) {
            return NONE;
        }
        int start = fewestGrounded(open.stream().filter(edge -> !edges.get(edge).optional()));
        if (start == NONE && touching(open, bound, false).length == 0) {
            start = fewestGrounded(open.stream());
        }
        return start;
    }

    private int fewestGrounded(IntStream among) {
        return among.flatMap(
                        edge -> IntStream.of(edges.get(edge).source(), edges.get(edge).target()))
                .filter(variable -> query.pattern().isGrounded(variable))
                .boxed()
                .min(
                        Comparator.<Integer>comparingInt(variable -> joins.domain(variable).size())
                                .thenComparing(Comparator.naturalOrder()))
                .orElse(NONE);
    }

    private int[] touching(BitSet open, BitSet bound, boolean required) {
        return open.stream()
                .filter(edge -> !required || !edges.get(edge).optional())
                .filter(
                        edge ->
                                bound.get(edges.get(edge).source())
                                        || bound.get(edges.get(edge).target()))
                .toArray();
    }

    /** The edge to match next: a required one if there is any, then the cheapest to read. */
    private int cheapest(BitSet open, BitSet bound, List<PartialMatch> matches) {
        int[] required = touching(open, bound, true);
        int[] choices = required.length > 0 ? required : touching(open, bound, false);
        int cheapest = choices[0];
        long min = Long.MAX_VALUE;
        for (int edge : choices) {
            // Estimating the cost reads from the store, and a single choice needs no estimate.
            long readCost = choices.length == 1 ? 0 : readCost(edge, matches);
            if (readCost < min) {
                min = readCost;
                cheapest = edge;
            }
        }
        return cheapest;
    }

    private long readCost(int edge, List<PartialMatch> matches) {
        long readCost = 0;
        for (PartialMatch match : matches) {
            ticker.tick();
            Move move = move(match, edge);
            if (move != null) {
                readCost = SaturatedMath.plus(readCost, readCost(edge, move));
            }
        }
        return readCost;
    }

    private long readCost(int edge, Move move) {
        EdgeTable table = joins.table(edge);
        return table == null
                ? expansion.readCost(move.origin, move.hop, move.arrivals)
                : table.from(move.origin, move.backwards).size();
    }

    private List<PartialMatch> bind(List<PartialMatch> matches, int variable) {
        LongDoubleMap domain = joins.domain(variable);
        boolean first = matches.get(0).path() == null;
        TopK<PartialMatch> best = new TopK<>(order, first ? Integer.MAX_VALUE : query.width());
        for (PartialMatch match : matches) {
            domain.forEachKeyValue(
                    (node, similarity) -> {
                        ticker.tick();
                        hold(matches, best);
                        best.offer(match.with(variable, node, similarity));
                    });
        }
        return kept(best);
    }

    private List<PartialMatch> extend(List<PartialMatch> matches, int edge, boolean last) {
        // After the last edge, keep only what is returned.
        int max = last ? Math.min(query.width(), query.limit()) : query.width();
        TopK<PartialMatch> best = new TopK<>(order, max);
        boolean[] dropped = {false};
        for (PartialMatch match : matches) {
            ticker.tick();
            Move move = move(match, edge);
            boolean[] found = {false};
            if (move != null) {
                go(
                        match.path(),
                        edge,
                        move,
                        path -> {
                            found[0] = true;
                            double similarity = move.similarity(path.node());
                            PartialMatch worst = best.worst();
                            dropped[0] |= worst != null;
                            if (worst == null
                                    || path.score() + similarity >= worst.path().score()) {
                                hold(matches, best);
                                best.offer(
                                        match.with(
                                                edge,
                                                path,
                                                move.backwards,
                                                move.variable,
                                                similarity));
                            }
                        });
            }
            if (!found[0] && edges.get(edge).optional()) {
                dropped[0] |= !best.offer(match);
            }
        }
        truncation.addIf(last && dropped[0] && query.limit() < query.width(), Limit.LIMIT);
        return kept(best);
    }

    private void go(ScoredPath path, int edge, Move move, Consumer<ScoredPath> arrived) {
        EdgeTable table = joins.table(edge);
        if (table == null) {
            expansion.extend(path, move.origin, move.hop, move.arrivals, arrived);
        } else {
            List<EdgeTable.Arc> arcs = table.from(move.origin, move.backwards);
            expansion.extend(path, arcs, move.hop, move.arrivals, arrived);
        }
    }

    private List<PartialMatch> kept(TopK<PartialMatch> best) {
        List<PartialMatch> kept = List.copyOf(best.items());
        account.allocate(kept.size() * PATH_BYTES);
        return kept;
    }

    /**
     * Counts the partial matches in memory at once: those before the edge, and their extensions.
     */
    private void hold(List<PartialMatch> before, TopK<PartialMatch> found) {
        int now = before.size() + found.items().size() + 1;
        if (now > held) {
            account.allocate((now - held) * (MATCH_BYTES + PART_BYTES * parts));
            held = now;
        }
    }

    /** How to match the edge; null if both its ends depend on a missing optional edge. */
    private Move move(PartialMatch match, int index) {
        Pattern.Edge edge = edges.get(index);
        long source = match.binding(edge.source());
        long target = match.binding(edge.target());
        if (source == PartialMatch.UNBOUND && target == PartialMatch.UNBOUND) {
            return null;
        }
        boolean backwards = source == PartialMatch.UNBOUND;
        int variable = backwards ? edge.source() : edge.target();
        long bound = match.binding(variable);
        return new Move(
                backwards ? target : source,
                hops.over(index, backwards),
                backwards,
                variable,
                bound == PartialMatch.UNBOUND
                        ? joins.domain(variable)
                        : LongDoubleHashMap.newWithKeysValues(bound, 0));
    }

    private Row row(PartialMatch match) {
        view.termination().check();
        account.allocate(ROW_PART_BYTES * parts);
        return new Row(
                IntStream.range(0, query.pattern().variables())
                        .mapToObj(match::binding)
                        .map(node -> node == PartialMatch.UNBOUND ? null : entities.get(node))
                        .toList(),
                IntStream.range(0, edges.size())
                        .mapToObj(edge -> evidence(match.edge(edge)))
                        .toList(),
                match.path().score(),
                match.path().count());
    }

    private Evidence evidence(PartialMatch.MatchedEdge found) {
        if (found == null) {
            return new Evidence(List.of(), List.of(), 0);
        }
        List<Entity> nodes = new ArrayList<>();
        List<String> relations = new ArrayList<>();
        nodes.add(entities.get(found.links().get(0).origin()));
        double similarity = 0;
        for (ScoredPath link : found.links()) {
            nodes.add(entities.get(link.node()));
            RelationStep step = link.step();
            relations.add(paths.spec(found.backwards() ? step.reversed() : step));
            similarity += link.similarity();
        }
        if (found.backwards()) {
            Collections.reverse(nodes);
            Collections.reverse(relations);
        }
        return new Evidence(nodes, relations, similarity);
    }

    /**
     * @param backwards whether it goes from the edge's target to its source
     * @param variable the variable at its end
     * @param arrivals the candidates of that variable, with what each adds to the score; null: any
     *     node
     */
    private record Move(
            long origin, Hop hop, boolean backwards, int variable, LongDoubleMap arrivals) {
        double similarity(long node) {
            return arrivals == null ? 0 : arrivals.get(node);
        }
    }
}
