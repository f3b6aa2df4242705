package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

class LinkProcedureTest {
    private static final String FULLTEXT_OPTIONS =
            " OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-folding'}}";

    @AutoClose
    private static final TestDatabase database =
            TestDatabase.with(
                    "CREATE (:KnowledgeGraph {name: 'names', label: 'Names'}),"
                            + " (:KnowledgeGraph {name: 'bare', label: 'Bare'})",
                    "CREATE CONSTRAINT FOR (n:Names) REQUIRE n.id IS UNIQUE",
                    "CREATE INDEX FOR (n:Names) ON (n.name)",
                    "CREATE FULLTEXT INDEX kgdb_Names_names FOR (n:Names) ON EACH [n.name,"
                            + " n.aliases]"
                            + FULLTEXT_OPTIONS,
                    "CREATE VECTOR INDEX kgdb_Names_embeddings FOR (n:Names) ON (n.embedding)"
                            + " OPTIONS {indexConfig: {`vector.dimensions`: 2,"
                            + " `vector.similarity_function`: 'cosine'}}",
                    """
UNWIND ['Casablanca', 'Casablanca Express', 'Amélie', "Don't Wake the Miller", 'The Who', 'It', 'AND', '*', '???',
        'C:\\\\>', 'C', 'Straße', 'Małgorzata Śnieżyńska', '第七个渡口', 'الأميرة', 'Ёлка', '🙂', 'Heat',
        'He said "no"', 'a* b? c~2', 'name:value', 'x && y || !z', '[1 TO 5]', '/regex/', 'trailing\\\\',
        '`); MATCH (n) DETACH DELETE n //', 'Spider-Man', 'Hello Dolly']
AS name
CREATE (:Entity:Names {id: 'id of ' + name, name: name})
""",
                    """
CREATE (:Entity:Names:Person {id: 'president', name: 'John Fitzgerald Kennedy', aliases: ['JFK', 'Jack Kennedy']}),
       (:Entity:Names {id: 'jfk film', name: 'jfk'}),
       (:Entity:Names:Mediator {id: 'cvt', name: 'Mediator of Kennedy'}),
       (:Entity:Names:Literal {id: 'text', name: 'Text of Kennedy'}),
       (:Other {id: 'other', name: 'Jack Kennedy'}),
       (:Entity:Names {id: 'planet', name: 'Mercury', pagerank: 0.2, embedding: [1.0, 0.0]}),
       (:Entity:Names {id: 'metal', name: 'Mercury', pagerank: 0.7, embedding: [0.0, 1.0]}),
       (:Entity:Names {id: 'god', name: 'Mercury'}),
       (:Entity:Names {id: 'venus', name: 'Venus', embedding: [0.8, 0.6]})
""",
                    "CALL db.awaitIndexes(60)");

    private static List<Map<String, Object>> link(
            List<String> mentions, Object vectors, Map<String, Object> config) {
        return database.rows(
                "CALL kgdb.entities.link('names', $mentions, $vectors, $config)",
                Map.of(
                        "mentions",
                        mentions,
                        "vectors",
                        vectors == null ? List.of() : vectors,
                        "config",
                        config));
    }

    private static Map<String, Object> best(String mention) {
        List<Map<String, Object>> rows = link(List.of(mention), null, Map.of());
        return rows.isEmpty() ? Map.of() : rows.get(0);
    }

    private static List<Object> ids(List<Map<String, Object>> rows) {
        return rows.stream().map(row -> row.get("id")).toList();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '^',
            delimiter = '¦',
            value = {
                "Casablanca¦Casablanca¦exact",
                "  Casablanca ¦Casablanca¦exact",
                "CASABLANCA¦Casablanca¦case",
                "Ｃａｓａｂｌａｎｃａ¦Casablanca¦case",
                "strasse¦Straße¦case",
                "STRASSE¦Straße¦case",
                "amelie¦Amélie¦folded",
                "Malgorzata Sniezynska¦Małgorzata Śnieżyńska¦folded",
                "Don’t wake the miller¦Don't Wake the Miller¦folded",
                "dont wake the miller¦Don't Wake the Miller¦punctuation",
                "Spider Man¦Spider-Man¦punctuation",
                "Casablenca¦Casablanca¦typo",
                "Caasblanca¦Casablanca¦typo",
                "Casblanca¦Casablanca¦typo",
                "Malgorzata Sneizynska¦Małgorzata Śnieżyńska¦typo",
                "Dolly, Hello¦Hello Dolly¦words",
                "第七个渡口¦第七个渡口¦exact",
                "第七个渡囗¦第七个渡口¦typo",
                "الاميرة¦الأميرة¦folded",
                "ёлка¦Ёлка¦case",
                "елка¦Ёлка¦folded",
                "🙂¦🙂¦exact",
                "the who¦The Who¦case",
                "it¦It¦case",
                "and¦AND¦case",
                "And¦AND¦case",
                "*¦*¦exact",
                "???¦???¦exact",
                "C:\\>¦C:\\>¦exact",
                "c¦C¦case",
                "He said \"no\"¦He said \"no\"¦exact",
                "HE SAID “NO”¦He said \"no\"¦punctuation",
                "a* b? c~2¦a* b? c~2¦exact",
                "name:value¦name:value¦exact",
                "X && Y OR !Z¦x && y || !z¦words",
                "[1 TO 5]¦[1 TO 5]¦exact",
                "/regex/¦/regex/¦exact",
                "trailing\\¦trailing\\¦exact",
                "`); MATCH (n) DETACH DELETE n //¦`); MATCH (n) DETACH DELETE n //¦exact",
                "jack kennedy¦John Fitzgerald Kennedy¦case",
                "JFK¦John Fitzgerald Kennedy¦exact",
                "id of Heat¦Heat¦id",
            })
    void theBestEntityAndWhyItMatched(String mention, String name, String reason) {
        Map<String, Object> row = best(mention);
        assertEquals(List.of(name, reason), List.of(row.get("name"), row.get("reason")));
        assertEquals(mention, row.get("mention"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   ",
                "\"",
                "\\",
                "+",
                "-",
                "&&",
                "||",
                "!",
                "( ) { } [ ] ^ ~ ? :",
                "/",
                "\0",
                "a OR",
                "NOT",
                "*:*",
                "name:*",
                "x~",
                "\"unclosed",
                "[* TO *]",
                "\uD83D",
                "́",
                "a^b"
            })
    void whatLuceneWouldRefuseIsOnlyAMention(String mention) {
        for (boolean fuzzy : new boolean[] {true, false}) {
            List<Map<String, Object>> rows =
                    link(List.of(mention), null, Map.of("fuzzy", fuzzy, "minScore", 0.9));
            assertTrue(ids(rows).size() <= 1, rows.toString());
        }
    }

    @Test
    void aStarIsNoWildcard() {
        assertEquals(List.of("id of *"), ids(link(List.of("*"), null, Map.of("limit", 10))));
    }

    @Test
    void anAliasIsReturnedAndComesAfterAName() {
        assertEquals("JFK", best("JFK").get("matched"));
        assertEquals(List.of("jfk film", "president"), ids(link(List.of("jfk"), null, Map.of())));
    }

    @Test
    void mediatorsLiteralsAndOtherGraphsAreNeverMeant() {
        List<Object> ids =
                ids(
                        link(
                                List.of("Jack Kennedy", "Mediator of Kennedy", "Text of Kennedy"),
                                null,
                                Map.of()));
        assertTrue(ids.contains("president"));
        assertTrue(
                List.of("cvt", "text", "other").stream().noneMatch(ids::contains), ids.toString());
    }

    @Test
    void labels() {
        Map<String, Object> config = Map.of("labels", List.of("Person"));
        assertEquals(List.of("president"), ids(link(List.of("jfk"), null, config)));
        assertTrue(
                database.error("CALL kgdb.entities.link('names', ['x'], null, {labels: ['Persn']})")
                        .contains("did you mean 'Person'?"));
    }

    @Test
    void equalScoresComeByPageRankAndId() {
        assertEquals(
                List.of("metal", "planet", "god"), ids(link(List.of("Mercury"), null, Map.of())));
    }

    @Test
    void aVectorTellsEntitiesOfOneNameApart() {
        List<Map<String, Object>> rows =
                link(List.of("Mercury"), List.of(List.of(0.9, 0.1)), Map.of("limit", 4));
        assertEquals(List.of("planet", "metal", "god", "venus"), ids(rows));
        assertEquals(1.0, rows.get(0).get("textScore"));
        double cosine = 0.9f / Math.hypot(0.9f, 0.1f);
        assertEquals((1 + cosine) / 2, (Double) rows.get(0).get("vectorScore"), 1e-7);
        assertEquals(null, rows.get(2).get("vectorScore"));
        assertEquals("vector", rows.get(3).get("reason"));
    }

    @Test
    void theWeightOfTheVector() {
        List<Map<String, Object>> rows =
                link(
                        List.of("Venus"),
                        List.of(List.of(1.0, 0.0)),
                        Map.of("vectorWeight", 1.0, "limit", 1));
        assertEquals(List.of("planet"), ids(rows));
        assertEquals(1.0, (Double) rows.get(0).get("score"), 1e-7);
        assertEquals(
                List.of("venus"),
                ids(
                        link(
                                List.of("Venus"),
                                List.of(List.of(1.0, 0.0)),
                                Map.of("vectorWeight", 0.0, "limit", 1))));
    }

    @Test
    void someMentionsHaveNoVector() {
        List<Object> vectors = Arrays.asList(null, List.of(), List.of(1, 0));
        List<Map<String, Object>> rows =
                link(List.of("Venus", "Venus", "Venus"), vectors, Map.of("limit", 1));
        assertEquals(
                Arrays.asList(null, null, 0.9),
                rows.stream()
                        .map(row -> (Double) row.get("vectorScore"))
                        .map(score -> score == null ? null : Math.round(score * 1e6) / 1e6)
                        .toList());
    }

    @Test
    void limitIsReported() {
        List<Map<String, Object>> rows = link(List.of("Mercury"), null, Map.of("limit", 2));
        assertEquals(List.of("limit"), rows.get(1).get("cut"));
        assertEquals(List.of(), best("Heat").get("cut"));
    }

    @Test
    void tooFewCandidatesAreReported() {
        List<Map<String, Object>> rows = link(List.of("Mercury"), null, Map.of("candidates", 2));
        assertEquals(List.of("candidates"), rows.get(0).get("cut"));
        // The indexes over ids and names still find them.
        assertEquals(3, rows.size());
    }

    @Test
    void aMentionLongerThanAPageIsTruncatedAndReported() {
        for (String letter : List.of("x", "é", "渡", "🙂", "x ", "\" ", "ab* ")) {
            List<Map<String, Object>> rows =
                    link(List.of(letter.repeat(10_000)), null, Map.of("minScore", 0.99));
            assertEquals(List.of("mention"), rows.get(0).get("cut"), letter);
            assertEquals(null, rows.get(0).get("id"), letter);
        }
    }

    @Test
    void minScore() {
        assertEquals(
                List.of(),
                ids(link(List.of("Casablenca"), null, Map.of("minScore", 0.9, "fuzzy", true))));
    }

    @Test
    void withoutFuzzyNoLetterMayBeWrong() {
        assertEquals(List.of(), ids(link(List.of("Casablenca"), null, Map.of("fuzzy", false))));
    }

    @Test
    void mentionsKeepTheirPlaces() {
        assertEquals(
                List.of(0L, 2L),
                link(List.of("Heat", "qqqq", "Venus"), null, Map.of("limit", 1)).stream()
                        .map(row -> row.get("batch"))
                        .toList());
        assertEquals(List.of(), link(List.of(), null, Map.of()));
    }

    @Test
    void writesOfTheSameTransactionAreSeen() {
        assertEquals(
                List.of("fresh"),
                database.column(
                        "CREATE (n:Entity:Names {id: 'fresh', name: 'Quite Fresh'}) WITH n CALL"
                                + " kgdb.entities.link('names', ['quite fresh'], null, {limit: 1})"
                                + " YIELD id DETACH DELETE n RETURN id"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "'nmaes', ['x']|did you mean 'names'?",
                "null, ['x']|kg: expected the name of a loaded graph",
                "'bare', ['x']|has no full-text index kgdb_Bare_names",
                "'names', null|mentions: expected a LIST of STRINGs",
                "'names', ['x', null]|mentions: expected a LIST of STRINGs",
                "'names', ['x'], [[1.0]]|expected vectors of 2 numbers",
                "'names', ['x'], [[1.0, 'a']]|vectors: expected LISTs of finite numbers, got 'a'",
                "'names', ['x'], [[0.0, 0.0]]|all zeros",
                "'names', ['x'], [[1.0, 0.0], [1.0, 0.0]]|expected one for each of the 1 mentions",
                "'names', ['x'], null, {limit: 0}|limit: expected INTEGER",
                "'names', ['x'], null, {vectorWeight: 1.1}|vectorWeight: expected FLOAT",
                "'names', ['x'], null, {kg: 'names'}|unknown config key 'kg'",
            })
    void refusals(String arguments, String message) {
        String error = database.error("CALL kgdb.entities.link(" + arguments + ")");
        assertTrue(error.startsWith("kgdb.entities.link: "), error);
        assertTrue(error.contains(message), error);
    }

    @Test
    void vectorsNeedAnIndex() {
        database.rows("CREATE FULLTEXT INDEX kgdb_Bare_names FOR (n:Bare) ON EACH [n.name]");
        database.rows("CALL db.awaitIndexes(60)");
        String error = database.error("CALL kgdb.entities.link('bare', ['x'], [[1.0]])");
        assertTrue(error.contains("has no vector index kgdb_Bare_embeddings"), error);
        database.rows("DROP INDEX kgdb_Bare_names");
    }

    @Test
    void entitiesTiedWithTheFirstComeBeyondTheLimit() {
        try (TestDatabase many =
                TestDatabase.with(
                        "CREATE (:KnowledgeGraph {name: 'many', label: 'Many'})",
                        "UNWIND range(1, 120) AS i CREATE (:Many {id: 'm' + i, name: 'Same'}),"
                                + " (:Many {id: 'o' + i, name: 'Same ' + i})",
                        "CREATE FULLTEXT INDEX kgdb_Many_names FOR (e:Many) ON EACH [e.name]"
                                + " OPTIONS {indexConfig: {`fulltext.analyzer`:"
                                + " 'standard-folding'}}",
                        "CREATE INDEX kgdb_Many_name FOR (e:Many) ON (e.name)",
                        "CALL db.awaitIndexes(60)")) {
            for (String mention : List.of("Same", "SAME")) {
                String call = "CALL kgdb.entities.link('many', ['" + mention + "'], null, {";
                assertEquals(120L, count(many, call + "limit: 5, ties: 200})"));
                assertEquals(15L, count(many, call + "limit: 5, ties: 10})"));
                assertEquals(5L, count(many, call + "limit: 5})"));
            }
            assertEquals(
                    List.of(List.of("candidates", "ties", "limit")),
                    many.column(
                            "CALL kgdb.entities.link('many', ['Same'], null, {ties: 10}) YIELD cut"
                                    + " RETURN DISTINCT cut"));
        }
    }

    private static Object count(TestDatabase database, String call) {
        return database.column(call + " YIELD id RETURN count(*)").get(0);
    }
}
