package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;

import io.github.kgdb.StoreState;
import io.github.kgdb.TestDatabase;
import io.github.kgdb.cypher.Corpus;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

class CypherReadProcedureTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Enough on the slowest of machines; another test checks time limits. */
    private static final String PATIENT = "{timeoutMs: 60000}";

    @AutoClose private static TestDatabase database;
    private static StoreState before;

    @BeforeAll
    static void start() {
        database =
                TestDatabase.with(
                        Corpus.graph(),
                        "CREATE (:KnowledgeGraph {name: 'films', label: 'Movie', idProperty:"
                                + " 'title', nameProperty: 'tagline'})");
        before = StoreState.of(database.service());
    }

    @AfterEach
    void nothingHasChanged() {
        assertEquals(before, StoreState.of(database.service()));
    }

    private static Map<String, Object> read(String script, String config) {
        List<Map<String, Object>> rows =
                database.rows(
                        "CALL kgdb.cypher.read($script, " + config + ")",
                        Collections.singletonMap("script", script));
        assertEquals(1, rows.size());
        return rows.get(0);
    }

    private static Map<String, Object> read(String script) {
        return read(script, PATIENT);
    }

    private static String message(String script) {
        return (String) read(script).get("message");
    }

    @TestFactory
    Stream<DynamicTest> scriptsToRefuse() {
        return Corpus.refused().stream()
                .map(one -> DynamicTest.dynamicTest(one.name(), () -> assertRefused(one)));
    }

    private void assertRefused(Corpus.Case one) {
        Map<String, Object> row = read(one.script());
        assertEquals(one.status(), row.get("status"), () -> "message: " + row.get("message"));
        assertFalse(((String) row.get("message")).isBlank());
        assertEquals(List.of(), row.get("rows"));
        nothingHasChanged();
    }

    @TestFactory
    Stream<DynamicTest> scriptsToRun() {
        return Corpus.run().stream()
                .map(one -> DynamicTest.dynamicTest(one.name(), () -> assertGives(one)));
    }

    private void assertGives(Corpus.Case one) throws Exception {
        Map<String, Object> row = read(one.script());
        assertEquals("ok", row.get("status"), () -> String.valueOf(row.get("message")));
        assertFalse((Boolean) row.get("truncated"));
        List<Object> found = new ArrayList<>();
        for (Object each : (List<?>) row.get("rows")) {
            found.add(JSON.readTree(JSON.writeValueAsString(each)));
        }
        List<Object> expected = new ArrayList<>();
        for (String each : one.rows()) {
            expected.add(JSON.readTree(each));
        }
        if (!one.script().toUpperCase(Locale.ROOT).contains("ORDER BY")) {
            found.sort(Comparator.comparing(Object::toString));
            expected.sort(Comparator.comparing(Object::toString));
        }
        assertEquals(expected, found);
        nothingHasChanged();
    }

    @Test
    void theCorpusIsLarge() {
        assertTrue(Corpus.refused().size() >= 250, () -> "refused: " + Corpus.refused().size());
        assertTrue(Corpus.run().size() >= 120, () -> "run: " + Corpus.run().size());
    }

    @Test
    void columnsAreInTheOrderOfTheQuery() {
        Map<String, Object> row = read("RETURN 1 AS z, 2 AS a, 3 AS `the m`");
        assertEquals(List.of("z", "a", "the m"), row.get("columns"));
        assertEquals(List.of(List.of(1L, 2L, 3L)), row.get("rows"));
    }

    @Test
    void anErrorHasItsPositionInTheWholeText() {
        Map<String, Object> row =
                read("Here it is:\n\n```cypher\nMATCH (m:Movie)\nDELETE m\n```\nBye.");
        assertEquals(5L, row.get("line"));
        assertEquals(1L, row.get("column"));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '^',
            delimiter = '¦',
            value = {
                "RETURN '😀' AS a foo¦1¦17",
                "RETURN '😀' AS a, x¦1¦18",
                "RETURN '😀' AS a, foo()¦1¦18",
                "MATCH (n {id: '😀'}) RETURN n.nmae¦1¦30",
                "MATCH (n {id: '😀'})-[*]->() RETURN n¦1¦20",
                "RETURN '\\u0041\\uD83D\\uDE00' AS a foo¦1¦34",
                "RETURN '\\u0041\\uD83D\\uDE00' AS a, x¦1¦35",
                "MATCH (n {id: '\\u0041'}) RETURN n.nmae¦1¦35",
                "/* 😀 */ RETURN x¦1¦16",
                "^\n// 😀\nRETURN\n'😀',x^¦4¦5",
                "^RETURN 1,\rx^¦2¦1",
                "^RETURN 1 AS a,\r\nx^¦2¦1",
                "^😀 first, 😀\n```cypher RETURN '😀', x\n```^¦2¦23",
                "^RETURN 1 AS a;\nRETURN '😀'^¦2¦1",
            })
    void aColumnCountsCharacters(String script, long line, long column) {
        Map<String, Object> row = read(script);
        assertEquals(List.of(line, column), List.of(row.get("line"), row.get("column")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/* 😀 */ DELETE x",
                "// 😀\r\n//\rDELETE x",
                "It is 😀:\n```cypher\n/* 😀 */ DELETE x\n```"
            })
    void bothSandboxesReportTheSamePosition(String script) {
        List<Object> places = new ArrayList<>();
        for (String sandbox : List.of("cypher.read", "got.run")) {
            Map<String, Object> row =
                    database.rows("CALL kgdb." + sandbox + "($script)", Map.of("script", script))
                            .get(0);
            assertEquals("FORBIDDEN_CLAUSE", row.get("status"));
            places.add(List.of(row.get("line"), row.get("column")));
        }
        assertEquals(places.get(0), places.get(1));
    }

    @Test
    void whereNothingIsWrongNothingIsSaid() {
        Map<String, Object> row = read("RETURN 1");
        assertNull(row.get("message"));
        assertNull(row.get("line"));
        assertNull(row.get("column"));
    }

    @Test
    void anUnknownTypeComesWithThoseNear() {
        assertEquals(
                "no relationship type 'ACTS_IN', near: 'ACTED_IN'",
                message("MATCH ()-[:ACTS_IN]->() RETURN 1 AS x"));
    }

    @Test
    void aTypeThatSharesAWordIsNear() {
        assertEquals(
                "no relationship type 'WAS_DIRECTED', near: 'DIRECTED', 'film.film.directed_by'",
                message("MATCH ()-[:WAS_DIRECTED]->() RETURN 1 AS x"));
    }

    @Test
    void allUnknownNamesAreReportedAtOnce() {
        assertEquals(
                "no label 'Movies', near: 'Movie'; no property 'titel', near: 'title'; no"
                        + " relationship type 'DIRECTEDBY', near: 'DIRECTED',"
                        + " 'film.film.directed_by'",
                message("MATCH (m:Movies {titel: 'x'})<-[:DIRECTEDBY]-(:Movies) RETURN m.titel"));
    }

    @Test
    void aKeyOfAMapInTheQueryNeedNotBeInTheStore() {
        assertEquals("ok", read("WITH {unheardOf: 1} AS m RETURN m.unheardOf").get("status"));
    }

    @Test
    void theGraphSaysWhatANodeIsCalled() {
        Map<String, Object> row = read("MATCH (m:Movie {id: 'm1'}) RETURN m", "{kg: 'films'}");
        assertEquals(
                List.of(
                        List.of(
                                Map.of(
                                        "id", "The Matrix",
                                        "name", "Welcome to the Real World",
                                        "labels", List.of("Movie")))),
                row.get("rows"));
    }

    @Test
    void moreRowsThanAllowedAreTruncated() {
        Map<String, Object> row = read("MATCH (m:Movie) RETURN m.title", "{maxRows: 2}");
        assertEquals(2, ((List<?>) row.get("rows")).size());
        assertEquals(true, row.get("truncated"));
    }

    @Test
    void asManyRowsAsAllowedAreNotTruncated() {
        assertEquals(
                false, read("MATCH (m:Movie) RETURN m.title", "{maxRows: 5}").get("truncated"));
    }

    @Test
    void aLongListIsTruncated() {
        Map<String, Object> row = read("RETURN [1, 2, 3] AS l", "{maxRows: 2}");
        assertEquals(List.of(List.of(List.of(1L, 2L))), row.get("rows"));
        assertEquals(true, row.get("truncated"));
    }

    @Test
    void aLongTextIsTruncated() {
        String text = "x".repeat(15_000);
        Map<String, Object> row = read("RETURN '" + text + "' AS t");
        assertEquals(List.of(List.of(text.substring(0, 10_000))), row.get("rows"));
        assertEquals(true, row.get("truncated"));
    }

    @Test
    void anAnswerThatIsTooLargeIsTruncated() {
        Map<String, Object> row =
                read(
                        "UNWIND "
                                + Collections.nCopies(5000, "1")
                                + " AS x RETURN '"
                                + "x".repeat(4000)
                                + "' AS t",
                        "{maxRows: 10000, timeoutMs: 60000}");
        assertEquals("ok", row.get("status"));
        assertEquals(true, row.get("truncated"));
        int rows = ((List<?>) row.get("rows")).size();
        assertTrue(rows > 1000 && rows < 3000, () -> "rows: " + rows);
    }

    @Test
    void longerPathsAreAllowedWhereAskedFor() {
        String script = "MATCH (a {id: 'p2'})-[:KNOWS*1..6]->(b) RETURN count(b)";
        assertEquals("PATH_LENGTH", read(script).get("status"));
        assertEquals("ok", read(script, "{maxPathLength: 6}").get("status"));
    }

    @Test
    void aShorterScriptMayBeAskedFor() {
        assertEquals(
                "the script has 8 characters, at most 7 are allowed (maxLength)",
                read("RETURN 1", "{maxLength: 7}").get("message"));
    }

    @Test
    void aScriptHasToBeGiven() {
        assertEquals(
                "kgdb.cypher.read: script: expected a STRING, got null",
                database.error("CALL kgdb.cypher.read(null)"));
    }

    @Test
    void aConfigHasToBeRight() {
        assertEquals(
                "kgdb.cypher.read: maxRows: expected INTEGER ≥ 1, ≤ 10000, got 0 (INTEGER)",
                database.error("CALL kgdb.cypher.read('RETURN 1', {maxRows: 0})"));
        assertEquals(
                "kgdb.cypher.read: no graph 'film'; loaded: films (did you mean 'films'?)",
                database.error("CALL kgdb.cypher.read('RETURN 1', {kg: 'film'})"));
    }

    @Test
    void manyScriptsInOneQuery() {
        assertEquals(
                List.of("ok", "FORBIDDEN_CLAUSE", "RUNTIME", "ok"),
                database.column(
                        "UNWIND ['RETURN 1', 'CREATE (n)', 'RETURN 1 / 0', 'RETURN 2'] AS script"
                                + " CALL kgdb.cypher.read(script) YIELD status RETURN status"));
    }

    @Test
    void afterAnErrorTheCallersTransactionGoesOn() {
        List<Object> counted =
                database.column(
                        "CREATE (n:Movie {id: 'new'}) WITH n CALL kgdb.cypher.read('RETURN 1 / 0')"
                                + " YIELD status WITH n, status DELETE n RETURN status");
        assertEquals(List.of("RUNTIME"), counted);
    }
}
