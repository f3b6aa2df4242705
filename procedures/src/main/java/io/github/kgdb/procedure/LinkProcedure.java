package io.github.kgdb.procedure;

import io.github.kgdb.CypherValues;
import io.github.kgdb.KgdbException;
import io.github.kgdb.kernel.api.Termination;
import io.github.kgdb.kernel.linking.EntityLinking;
import io.github.kgdb.kernel.linking.NameIndex;
import io.github.kgdb.procedure.call.Config;
import io.github.kgdb.procedure.call.ConfigKey;
import io.github.kgdb.procedure.call.GraphCall;
import io.github.kgdb.procedure.call.GraphCall.Batches;
import io.github.kgdb.procedure.call.GraphProcedure;
import io.github.kgdb.procedure.call.Parameters;

import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

public final class LinkProcedure extends GraphProcedure {
    static final String NAME = "kgdb.entities.link";

    private static final ConfigKey<Integer> LIMIT =
            ConfigKey.count("limit", 1, Integer.MAX_VALUE, 5, "maximum rows of each mention");
    private static final ConfigKey<Integer> TIES =
            ConfigKey.count(
                    "ties",
                    0,
                    100_000,
                    0,
                    "maximum rows beyond limit that have the score of the first row, as when many"
                            + " entities share one name");
    private static final ConfigKey<Integer> CANDIDATES =
            ConfigKey.count(
                    "candidates",
                    1,
                    10_000,
                    50,
                    "maximum candidates that each index proposes for a mention; all of them are"
                            + " then compared with it");
    private static final ConfigKey<Boolean> FUZZY =
            ConfigKey.flag(
                    "fuzzy",
                    true,
                    "search for misspelled words too, if no entity has the mention as its name");
    private static final ConfigKey<Double> MIN_SCORE =
            ConfigKey.number("minScore", 0, Double.POSITIVE_INFINITY, 0, "minimum score of a row");
    private static final ConfigKey<Double> VECTOR_WEIGHT =
            ConfigKey.number(
                    "vectorWeight",
                    0,
                    Math.nextUp(1.0),
                    0.5,
                    "the weight of vectorScore in the score of a mention with a vector");
    private static final ConfigKey<List<String>> LABELS =
            ConfigKey.texts(
                    Parameters.LABELS.name(),
                    "only entities with at least one of these labels, [] = any");

    static final List<ConfigKey<?>> KEYS =
            List.of(
                    LIMIT,
                    TIES,
                    CANDIDATES,
                    FUZZY,
                    MIN_SCORE,
                    VECTOR_WEIGHT,
                    LABELS,
                    Parameters.TIMEOUT_MS);

    @Procedure(name = NAME, mode = Mode.READ)
    @Description(
            "Links mentions to the entities that they may mean, by name, alias and (if vectors are"
                + " given) embedding. Each row says why it matched. Ordered by mention as given,"
                + " score (largest first), PageRank (property pagerank, largest first) and id.")
    public Stream<LinkRow> link(
            @Name(value = "kg", description = "The loaded graph to search.") String kg,
            @Name(
                            value = "mentions",
                            description =
                                    "Names as people write them. They are data: no character is"
                                            + " query syntax.")
                    List<String> mentions,
            @Name(
                            value = "vectors",
                            defaultValue = "null",
                            description =
                                    "The embedding of each mention; null or [] for a mention"
                                            + " without one. null: no embeddings.")
                    List<Object> vectors,
            @Name(value = "config", defaultValue = "{}", description = Parameters.CONFIG)
                    Map<String, Object> config) {
        return GraphCall.run(
                NAME,
                this,
                requiredName(kg),
                config,
                KEYS,
                input -> search(input, mentions, vectors),
                (batch, row, cut) -> new LinkRow(batch, mentions.get((int) batch), row, cut));
    }

    private static String requiredName(String kg) {
        if (kg == null) {
            throw KgdbException.usage("kg: expected the name of a loaded graph, got null").in(NAME);
        }
        return kg;
    }

    private static Batches<EntityLinking.Row> search(
            GraphCall.Input input, List<String> mentions, List<Object> vectors) {
        Config config = input.config();
        EntityLinking.Query query =
                new EntityLinking.Query(
                        config.get(LIMIT),
                        config.get(TIES),
                        config.get(CANDIDATES),
                        config.get(FUZZY),
                        config.get(MIN_SCORE),
                        config.get(VECTOR_WEIGHT));
        if (mentions == null || mentions.contains(null)) {
            throw KgdbException.usage(
                    "mentions: expected a LIST of STRINGs, got " + CypherValues.describe(mentions));
        }
        List<float[]> each = vectors(vectors, mentions.size(), input.termination());
        NameIndex index = input.session().nameIndex(config.get(LABELS));
        EntityLinking linking =
                new EntityLinking(
                        index,
                        query,
                        input.session().dictionary(),
                        input.termination(),
                        input.memory(),
                        input.results());
        return new Batches<>(
                mentions.size(), batch -> linking.find(mentions.get(batch), each.get(batch)));
    }

    private static List<float[]> vectors(
            List<Object> value, int mentions, Termination termination) {
        if (value == null || value.isEmpty()) {
            return Collections.nCopies(mentions, null);
        }
        if (value.size() != mentions) {
            throw KgdbException.usage(
                    "vectors: expected one for each of the "
                            + mentions
                            + " mentions, got "
                            + value.size());
        }
        List<float[]> vectors = new ArrayList<>();
        for (Object item : value) {
            termination.check();
            vectors.add(vector(item));
        }
        return vectors;
    }

    /** Null if the mention has none. */
    private static float[] vector(Object value) {
        if (value == null) {
            return null;
        }
        if (!(value instanceof List<?> numbers)) {
            throw notNumbers(value);
        }
        float[] vector = new float[numbers.size()];
        for (int i = 0; i < vector.length; i++) {
            if (!(numbers.get(i) instanceof Number number)
                    || !Float.isFinite(number.floatValue())) {
                throw notNumbers(numbers.get(i));
            }
            vector[i] = number.floatValue();
        }
        return vector.length == 0 ? null : vector;
    }

    private static KgdbException notNumbers(Object value) {
        return KgdbException.usage(
                "vectors: expected LISTs of finite numbers, got " + CypherValues.describe(value));
    }

    public static final class LinkRow {
        @Description("The index of the mention in mentions, from 0.")
        public Long batch;

        @Description("The mention.")
        public String mention;

        @Description("The id of an entity that it may mean.")
        public String id;

        @Description("The name of the entity.")
        public String name;

        @Description("How well mention and entity match, from 0 to 1.")
        public Double score;

        @Description("The similarity of the mention and the name or alias, from 0 to 1.")
        public Double textScore;

        @Description(
                "The similarity of the embeddings, from 0 to 1; null if one of them is missing.")
        public Double vectorScore;

        @Description("The name or alias (or id) that is most similar to the mention.")
        public String matched;

        @Description(
                "Why it matched: 'id', 'exact', 'case', 'folded', 'punctuation', 'typo', 'words' or"
                        + " 'vector'.")
        public String reason;

        @Description(
                "The limits that affected this mention: 'mention' (only its beginning was"
                    + " compared), 'candidates' (an index reached its maximum, so there may be more"
                    + " entities), 'ties' and 'limit' (there are more rows). If a limit leaves a"
                    + " mention without any row, it has one row with batch, mention and cut only.")
        public List<String> cut;

        LinkRow(long batch, String mention, EntityLinking.Row row, List<String> cut) {
            this.batch = batch;
            this.mention = mention;
            this.cut = cut;
            if (row != null) {
                this.id = row.entity().id();
                this.name = row.entity().name();
                this.score = row.score();
                this.textScore = row.textScore();
                this.vectorScore = row.vectorScore();
                this.matched = row.matched();
                this.reason = row.reason();
            }
        }
    }
}
