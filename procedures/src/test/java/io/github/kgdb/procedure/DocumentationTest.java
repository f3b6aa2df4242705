package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.kgdb.DemoGraph;
import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Every procedure has a page, and every example returns, on the demo graph, the rows that its page
 * shows.
 */
class DocumentationTest {
    private static final Path PAGES = Path.of("..", "docs", "reference", "procedures");
    private static final Path INDEX = PAGES.resolve("index.md");
    private static final Pattern EXAMPLE =
            Pattern.compile("```cypher\n(.*?)```\n```text\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CYPHER = Pattern.compile("^```cypher$", Pattern.MULTILINE);

    @AutoClose private static TestDatabase database;

    @BeforeAll
    static void start() throws IOException {
        database = DemoGraph.load();
    }

    @Test
    void everyPageIsOfAProcedure() throws IOException {
        assertEquals(
                Stream.concat(
                                Stream.of("index.md"),
                                Catalog.procedures().stream().map(p -> Catalog.name(p) + ".md"))
                        .collect(Collectors.toSet()),
                pages().stream()
                        .map(page -> page.getFileName().toString())
                        .collect(Collectors.toSet()));
    }

    @TestFactory
    Stream<DynamicTest> everyPageHasExamplesWithTheirRows() throws IOException {
        return pages().stream()
                .filter(page -> !page.equals(INDEX))
                .map(
                        page ->
                                dynamicTest(
                                        page.getFileName().toString(),
                                        () -> {
                                            long begun =
                                                    CYPHER.matcher(Files.readString(page))
                                                            .results()
                                                            .count();
                                            assertTrue(begun > 0, "at least one example");
                                            assertEquals(begun, examples(page).size());
                                        }));
    }

    @TestFactory
    Stream<DynamicTest> examples() throws IOException {
        return pages().stream()
                .flatMap(
                        page ->
                                examples(page).stream()
                                        .map(
                                                example ->
                                                        dynamicTest(
                                                                page.getFileName()
                                                                        + ": "
                                                                        + firstLine(example),
                                                                () -> assertRows(example))));
    }

    private static void assertRows(MatchResult example) {
        assertEquals(example.group(2), table(example.group(1)));
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(PAGES)) {
            return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
        }
    }

    private static List<MatchResult> examples(Path page) {
        try {
            return EXAMPLE.matcher(Files.readString(page)).results().toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String firstLine(MatchResult example) {
        return example.group(1).lines().findFirst().orElseThrow();
    }

    private static String table(String cypher) {
        try (Transaction transaction = database.service().beginTx();
                Result result = transaction.execute(cypher)) {
            return result.resultAsString().replace(System.lineSeparator(), "\n");
        }
    }
}
