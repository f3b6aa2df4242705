package io.github.kgdb.kernel.pagerank;

import io.github.kgdb.kernel.api.AdjacencyList;
import io.github.kgdb.kernel.api.Direction;
import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.api.GraphReader;
import io.github.kgdb.kernel.api.GraphView;
import io.github.kgdb.kernel.api.KernelResult;
import io.github.kgdb.kernel.api.Limit;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.StepFilter;
import io.github.kgdb.kernel.api.TerminationTicker;
import io.github.kgdb.kernel.api.Truncation;

import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** A small graph of candidates whose nodes are ranked. */
public final class CandidateGraph {
    /**
     * @param iterations the number of iterations, without a last one that had nothing to pass on
     * @param converged whether nothing was left to pass on
     */
    public record Row(Entity entity, double score, int iterations, boolean converged) {}

    private static final Comparator<Row> ORDER =
            Comparator.comparingDouble(Row::score)
                    .reversed()
                    .thenComparing(Row::entity, Entity.BY_ID);
    private static final long NODE_BYTES = Entity.HEAP_BYTES + 80;

    /** For each edge: its ends, twice, and its target. */
    private static final long EDGE_BYTES = 28;

    private final GraphView view;
    private final MemoryBudget.Account account;
    private final LongArrayList nodes = new LongArrayList();
    private final LongIntHashMap indices = new LongIntHashMap();
    private final IntArrayList sources = new IntArrayList();
    private final IntArrayList targets = new IntArrayList();

    public CandidateGraph(GraphView view, MemoryBudget.Account account, long[] nodes) {
        this.view = view;
        this.account = account;
        for (long node : nodes) {
            index(node);
        }
    }

    /**
     * Adds the relationships between the candidates that the filter allows, as edges in the
     * direction in which they are followed.
     */
    public void addRelationships(StepFilter steps) {
        GraphReader graph = view.graph();
        long[] candidates = nodes.toSortedArray();
        for (long node : nodes.toArray()) {
            int source = indices.get(node);
            GraphReader.RelationshipVisitor visitor =
                    (relation, direction, other) -> {
                        int target = indices.getIfAbsent(other, -1);
                        if (target >= 0) {
                            add(source, target);
                        }
                    };
            AdjacencyList list = graph.cachedAdjacency(node);
            if (list == null) {
                // All candidates may be visited, and no other node is checked.
                graph.expand(node, steps, GraphReader.ALL, visitor);
            } else {
                view.termination().check();
                list.visit(steps, candidates, visitor);
            }
        }
    }

    /** Adds these edges, and their ends to the candidates. */
    public void addEdges(EdgeList edges, Direction direction) {
        TerminationTicker ticker = new TerminationTicker(view.termination());
        for (int edge = 0; edge < edges.sources().length; edge++) {
            ticker.tick();
            int source = index(edges.sources()[edge]);
            int target = index(edges.targets()[edge]);
            if (direction.includes(Direction.OUT)) {
                add(source, target);
            }
            if (direction.includes(Direction.IN)) {
                add(target, source);
            }
        }
    }

    /**
     * Rows ordered by score (largest first) and id.
     *
     * @param starts where random surfers start, or null: anywhere
     */
    public KernelResult<Row> rank(long[] starts, PageRank.Query query, long limit) {
        Truncation truncation = new Truncation();
        PageRank.Ranks ranks =
                PageRank.of(
                        nodes.size(),
                        sources.toArray(),
                        targets.toArray(),
                        starts == null ? null : indices(starts),
                        query,
                        view.termination());
        truncation.addIf(nodes.size() > limit, Limit.LIMIT);
        List<Row> rows =
                IntStream.range(0, nodes.size())
                        .mapToObj(index -> row(index, ranks))
                        .sorted(ORDER)
                        .limit(limit)
                        .toList();
        return KernelResult.of(rows, truncation, view);
    }

    private Row row(int index, PageRank.Ranks ranks) {
        view.termination().check();
        Entity entity = view.dictionary().entity(nodes.get(index));
        account.allocate(entity.longTextBytes());
        return new Row(entity, ranks.scores()[index], ranks.iterations(), ranks.converged());
    }

    /** Skips nodes of other start sets of the same call. */
    private int[] indices(long[] starts) {
        return Arrays.stream(starts).filter(indices::containsKey).mapToInt(indices::get).toArray();
    }

    private int index(long node) {
        int index = indices.getIfAbsent(node, -1);
        if (index < 0) {
            account.allocate(NODE_BYTES);
            index = nodes.size();
            indices.put(node, index);
            nodes.add(node);
        }
        return index;
    }

    private void add(int source, int target) {
        account.allocate(EDGE_BYTES);
        sources.add(source);
        targets.add(target);
    }
}
