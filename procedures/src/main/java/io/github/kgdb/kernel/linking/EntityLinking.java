package io.github.kgdb.kernel.linking;

import io.github.kgdb.kernel.api.Dictionary;
import io.github.kgdb.kernel.api.Entity;
import io.github.kgdb.kernel.api.KernelResult;
import io.github.kgdb.kernel.api.Limit;
import io.github.kgdb.kernel.api.MemoryBudget;
import io.github.kgdb.kernel.api.Termination;
import io.github.kgdb.kernel.api.TerminationTicker;
import io.github.kgdb.kernel.api.Truncation;
import io.github.kgdb.kernel.linking.NameSimilarity.Reason;

import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Finds the entities that a mention may mean. Indexes propose candidates, and each is compared with
 * the mention itself, so that a score does not depend on what else an index holds.
 */
public final class EntityLinking {
    /**
     * Subtracted from the score of an alias: of two equally similar names, the entity's name wins.
     */
    private static final double ALIAS = 0.005;

    /** The vector score of an entity without an embedding: that of an orthogonal vector. */
    private static final double UNKNOWN = 0.5;

    /** The largest edit distance that Lucene supports. */
    private static final int MAX_WRONG = 2;

    /** The number of rows whose names are looked up to find other entities with the same name. */
    private static final int WRITINGS = 10;

    private static final long[] NONE = {};

    private final NameIndex index;
    private final Query query;
    private final Dictionary dictionary;
    private final Termination termination;
    private final TerminationTicker ticker;
    private final MemoryBudget memory;
    private final MemoryBudget.Account results;

    /**
     * @param limit maximum rows of a mention
     * @param ties maximum rows beyond it with the score of the first
     * @param candidates maximum candidates from each index
     * @param fuzzy whether to search for misspelled words
     * @param minScore minimum score of a row
     * @param vectorWeight weight of the vector score
     */
    public record Query(
            int limit,
            int ties,
            int candidates,
            boolean fuzzy,
            double minScore,
            double vectorWeight) {}

    /**
     * @param textScore the similarity of the mention and the name
     * @param vectorScore the similarity of the embeddings, or null
     * @param matched the name or alias that is most similar to the mention
     */
    public record Row(
            Entity entity,
            double score,
            double textScore,
            Double vectorScore,
            String matched,
            String reason,
            double prior) {
        static final Comparator<Row> ORDER =
                Comparator.comparingDouble(Row::score)
                        .thenComparingDouble(Row::prior)
                        .reversed()
                        .thenComparing(Row::entity, Entity.BY_ID);
        private static final long HEAP_BYTES = Entity.HEAP_BYTES + 200;

        private long heapBytes() {
            return HEAP_BYTES
                    + entity.longTextBytes()
                    + Entity.longTextBytes(matched.equals(entity.name()) ? 0 : matched.length());
        }
    }

    public EntityLinking(
            NameIndex index,
            Query query,
            Dictionary dictionary,
            Termination termination,
            MemoryBudget memory,
            MemoryBudget.Account results) {
        this.index = index;
        this.query = query;
        this.dictionary = dictionary;
        this.termination = termination;
        this.ticker = new TerminationTicker(termination);
        this.memory = memory;
        this.results = results;
    }

    /**
     * @param vector the mention's embedding, or null
     */
    public KernelResult<Row> find(String mention, float[] vector) {
        try (MemoryBudget.Account scratch = memory.open()) {
            return new Search(mention, vector, scratch).run();
        }
    }

    /** The search for one mention. */
    private final class Search {
        private final NameForms forms;
        private final String mention;
        private final float[] vector;
        private final LongHashSet seen = new LongHashSet();
        private final List<Row> rows = new ArrayList<>();
        private final MemoryBudget.Account scratch;
        private final Truncation truncation = new Truncation();

        /** Whether some candidate's whole name is the mention; {@code likely} allows for typos. */
        private boolean wholeName;

        private boolean likely;

        Search(String text, float[] vector, MemoryBudget.Account scratch) {
            this.scratch = scratch;
            String stripped = NameForms.stripped(text);
            this.mention = NameForms.first(stripped, NameForms.MAX_LENGTH);
            this.vector = vector;
            this.forms = NameForms.of(mention);
            truncation.addIf(mention.length() < stripped.length(), Limit.MENTION);
        }

        KernelResult<Row> run() {
            termination.check();
            // First, because it refuses an unsuitable vector.
            long[] nearest = vector == null ? NONE : index.nearest(vector, query.candidates());
            if (!mention.isEmpty()) {
                searchByName();
            }
            add(nearest, false);
            rows.removeIf(row -> row.score() < query.minScore());
            rows.sort(Row.ORDER);
            List<Row> returned = rows.subList(0, Math.min(rows.size(), maxRows()));
            truncation.addIf(rows.size() > returned.size(), Limit.LIMIT);
            returned.forEach(row -> results.allocate(row.heapBytes()));
            return new KernelResult<>(
                    List.copyOf(returned), truncation.describe(dictionary, termination));
        }

        /**
         * The number of rows to return: the limit, and then rows with the same score as the first.
         */
        private int maxRows() {
            if (query.ties() == 0 || rows.isEmpty()) {
                return query.limit();
            }
            double best = rows.get(0).score();
            int tied = (int) rows.stream().takeWhile(row -> row.score() == best).count();
            int max = query.limit() + query.ties();
            truncation.addIf(tied > max, Limit.TIES);
            return Math.max(query.limit(), Math.min(tied, max));
        }

        /**
         * Searches by name. Searches for single words, the most expensive step, only if no entity
         * has the mention as its name.
         */
        private void searchByName() {
            add(index.identified(mention), true);
            long[] inOrder = index.search(NameQuery.phrase(mention), query.candidates());
            boolean mayBeMore = inOrder.length >= query.candidates();
            truncation.addIf(mayBeMore, Limit.CANDIDATES);
            add(inOrder, true);
            // Exact names are among these, because the index has only one form for ASCII letters.
            if (mayBeMore || inOrder.length == 0 || !NameForms.isAscii(mention)) {
                add(index.named(mention), true);
            }
            if (wholeName) {
                if (mayBeMore && query.ties() > 0) {
                    // Looks up the names as the graph writes them, because the mention may be
                    // written differently.
                    bestNames().forEach(name -> add(index.named(name), true));
                }
                return;
            }
            // The index may drop what a name consists of: punctuation, or words like "and".
            for (String writing : writings()) {
                add(index.identified(writing), true);
                add(index.named(writing), true);
            }
            int max = query.fuzzy() ? MAX_WRONG : 0;
            for (int wrong = Math.min(1, max); wrong <= max && !likely; wrong++) {
                String words = NameQuery.words(forms, wrong, index.fields());
                termination.check();
                if (!words.isEmpty()) {
                    add(index.search(words, query.candidates()), true);
                }
            }
        }

        private Set<String> bestNames() {
            double best = rows.stream().mapToDouble(Row::textScore).max().orElse(0);
            Set<String> names = new LinkedHashSet<>();
            rows.stream()
                    .filter(row -> row.textScore() == best)
                    .limit(WRITINGS)
                    .forEach(row -> names.add(row.matched()));
            names.remove(mention);
            return names;
        }

        /** The mention in the usual capitalizations of names. */
        private Set<String> writings() {
            String lower = mention.toLowerCase(Locale.ROOT);
            Set<String> writings = new LinkedHashSet<>();
            writings.add(lower);
            writings.add(mention.toUpperCase(Locale.ROOT));
            writings.add(capitalized(lower, false));
            writings.add(capitalized(lower, true));
            writings.remove(mention);
            return writings;
        }

        private void add(long[] nodes, boolean byName) {
            for (long node : nodes) {
                termination.check();
                if (seen.add(node)) {
                    NameIndex.Named named = index.read(node);
                    if (named != null) {
                        Row row = row(node, named, byName);
                        scratch.allocate(row.heapBytes());
                        rows.add(row);
                    }
                }
            }
        }

        private Row row(long node, NameIndex.Named named, boolean byName) {
            NameSimilarity best = new NameSimilarity(-1, Reason.VECTOR);
            String matched = named.name(0);
            for (int index = 0; index < named.size(); index++) {
                ticker.tick();
                NameSimilarity similarity = NameSimilarity.of(forms, named.forms(index), ticker);
                double score = similarity.score() - (index == 0 ? 0 : ALIAS);
                if (score > best.score()) {
                    best = new NameSimilarity(Math.max(0, score), similarity.reason());
                    matched = named.name(index);
                }
            }
            if (mention.equals(named.entity().id()) && best.reason() != Reason.EXACT) {
                best = new NameSimilarity(1, Reason.ID);
                matched = mention;
            }
            Reason reason = best.reason();
            if (reason == Reason.VECTOR && byName) {
                reason = Reason.WORDS;
            }
            wholeName |= reason.isWholeName();
            likely |= wholeName || reason == Reason.TYPO;
            Double vectorScore = vector == null ? null : index.similarity(node, vector);
            return new Row(
                    named.entity(),
                    fused(best.score(), vectorScore),
                    best.score(),
                    vectorScore,
                    reason == Reason.VECTOR ? named.entity().name() : matched,
                    reason.text(),
                    named.prior());
        }

        private double fused(double text, Double vectorScore) {
            if (vector == null) {
                return text;
            }
            double near = vectorScore == null ? UNKNOWN : vectorScore;
            return (1 - query.vectorWeight()) * text + query.vectorWeight() * near;
        }
    }

    /** Capitalizes the first letter, or the first letter of each word. */
    private static String capitalized(String lower, boolean eachWord) {
        StringBuilder written = new StringBuilder(lower.length());
        int before = ' ';
        for (int letter : lower.codePoints().toArray()) {
            boolean first = written.isEmpty() || eachWord && before == ' ';
            String one = Character.toString(letter);
            written.append(first ? one.toUpperCase(Locale.ROOT) : one);
            before = letter;
        }
        return written.toString();
    }
}
