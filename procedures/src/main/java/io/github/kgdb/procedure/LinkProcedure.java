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
            ConfigKey.count(
                    "limit", 1, Integer.MAX_VALUE, 5, "rows of each mention, the first ones");
    private static final ConfigKey<Integer> TIES =
            ConfigKey.count(
                    "ties",
                    0,
                    100_000,
                    0,
                    "rows beyond limit that have the score of the first, as where many entities"
                            + " have one name");
    private static final ConfigKey<Integer> CANDIDATES =
            ConfigKey.count(
                    "candidates",
                    1,
                    10_000,
                    50,
                    "entities asked of each index for each mention, and then compared");
    private static final ConfigKey<Boolean> FUZZY =
            ConfigKey.flag(
                    "fuzzy",
                    true,
                    "look for words with one letter wrong where no entity has the mention as its"
                            + " name");
    private static final ConfigKey<Double> MIN_SCORE =
            ConfigKey.number(
                    "minScore", 0, Double.POSITIVE_INFINITY, 0, "the lowest score of a row");
    private static final ConfigKey<Double> VECTOR_WEIGHT =
            ConfigKey.number(
                    "vectorWeight",
                    0,
                    Math.nextUp(1.0),
                    0.5,
                    "the share of vectorScore in the score of a mention that has a vector");
    private static final ConfigKey<List<String>> LABELS =
            ConfigKey.texts(
                    Parameters.LABELS.name(), "only entities with one of these labels, [] = any");

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
            "The entities that mentions may mean, by name, alias and (where vectors are given)"
                + " embedding, and why each matched. Ordered by mention as given, score (largest"
                + " first), PageRank (property pagerank, largest first) and id.")
    public Stream<LinkRow> link(
            @Name(value = "kg", description = "The loaded graph to look in.") String kg,
            @Name(
                            value = "mentions",
                            description = "Names as people write them: data, never query syntax.")
                    List<String> mentions,
            @Name(
                            value = "vectors",
                            defaultValue = "null",
                            description =
                                    "The embedding of each mention, null or [] for one that has"
                                            + " none; null: none at all.")
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

    /** Null where the mention has none. */
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
        @Description("The place of the mention in mentions, from 0.")
        public Long batch;

        @Description("The mention.")
        public String mention;

        @Description("The id of an entity that it may mean.")
        public String id;

        @Description("The name of the entity.")
        public String name;

        @Description("How well the two fit, from 0 to 1.")
        public Double score;

        @Description("How like the mention the name or alias is, from 0 to 1.")
        public Double textScore;

        @Description("How near the embeddings are, from 0 to 1; null where one of them is missing.")
        public Double vectorScore;

        @Description("The name or alias (or id) that is most like the mention.")
        public String matched;

        @Description(
                "What makes it like the mention: 'id', 'exact', 'case', 'folded', 'punctuation',"
                        + " 'typo', 'words' or 'vector'.")
        public String reason;

        @Description(
                "What caps left out of this mention's rows: 'mention' (it is longer than what is"
                    + " compared), 'candidates' (as many names as were asked for have its words in"
                    + " a row, there may be more), 'limit'. A mention that has no row for that"
                    + " reason has one with batch, mention and cut only.")
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
