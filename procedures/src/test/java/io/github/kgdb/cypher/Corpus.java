package io.github.kgdb.cypher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The scripts in tests/corpus/read, which the tests of the Python side run as well. */
public final class Corpus {
    private static final Path FOLDER = Path.of("..", "tests", "corpus", "read");
    private static final String CASE = "==== ";
    private static final String EXPECTED = "\n----\n";

    private Corpus() {}

    /** The statement that creates the graph of the scripts. */
    public static String graph() {
        return text(FOLDER.resolve("graph.cypher"));
    }

    public static List<Case> refused() {
        return cases("refuse");
    }

    public static List<Case> run() {
        return cases("run");
    }

    public static List<Case> bombs() {
        return cases("bombs");
    }

    private static List<Case> cases(String folder) {
        try (Stream<Path> files = Files.list(FOLDER.resolve(folder))) {
            return files.sorted().flatMap(file -> cases(file).stream()).toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static List<Case> cases(Path file) {
        List<Case> cases = new ArrayList<>();
        for (String block : ("\n" + text(file)).split("\n" + CASE)) {
            if (!block.isEmpty()) {
                cases.add(read(block));
            }
        }
        return cases;
    }

    private static Case read(String block) {
        int header = block.indexOf('\n');
        String body = withLineEnd(block.substring(header + 1));
        int expected = body.indexOf(EXPECTED);
        return new Case(
                block.substring(0, header),
                body.substring(0, expected < 0 ? body.length() - 1 : expected),
                expected < 0
                        ? List.of()
                        : body.substring(expected + EXPECTED.length()).lines().toList());
    }

    /** The line end before a block's separator belongs to the separator. */
    private static String withLineEnd(String body) {
        return body.endsWith("\n") ? body : body + "\n";
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * @param rows in JSON, one per line
     */
    public record Case(String name, String script, List<String> rows) {
        /** The expected status, which ends the name of a refused script. */
        public String status() {
            return name.substring(name.lastIndexOf(' ') + 1);
        }
    }
}
