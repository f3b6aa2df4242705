package io.github.kgdb.thought;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The fuzz target that Jazzer runs, guided by the branches of the parser; see scripts/fuzz.sh. */
public final class ThoughtFuzzer {
    private ThoughtFuzzer() {}

    /** Loads Neo4j's parser, so that no text is blamed for the loading time. */
    public static void fuzzerInitialize() {
        ServerParser.parse("CREATE (a)", Limits.HIGHEST);
    }

    /** Fails if a text makes the parser throw, or return a wrong result. */
    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        ParsedScript parsed = ThoughtParser.parse(text, Limits.HIGHEST);
        require(parsed.equals(ThoughtParser.parse(text, Limits.HIGHEST)), "differs when repeated");
        if (parsed instanceof ScriptError error) {
            checkPlace(text, error);
        } else if (parsed instanceof Thought thought) {
            checkThought(text, thought);
        }
    }

    /** Writes the scripts of the corpus into a folder, for Jazzer to begin with. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        List<String> scripts =
                Stream.concat(
                                Corpus.refused().stream().map(Corpus.Refused::script),
                                Corpus.allowed().stream().map(Corpus.Allowed::script))
                        .filter(script -> script.length() <= Limits.HIGHEST.maxLength())
                        .toList();
        for (int i = 0; i < scripts.size(); i++) {
            Files.writeString(folder.resolve("script-" + i), scripts.get(i));
        }
    }

    private static void checkPlace(String text, ScriptError error) {
        String[] lines = text.split("\r\n|\r|\n", -1);
        require(error.line() >= 1 && error.line() <= lines.length, "no such line: " + error);
        String line = lines[error.line() - 1];
        int columns = line.codePointCount(0, line.length());
        require(error.column() >= 1 && error.column() <= columns + 1, "no such column: " + error);
        require(!error.message().isBlank() && error.message().length() < 400, "message: " + error);
    }

    private static void checkThought(String text, Thought thought) {
        require(!thought.nodes().isEmpty(), "nothing in it");
        require(thought.nodes().size() <= Limits.HIGHEST.maxNodes(), "too many nodes");
        require(
                thought.relationships().size() <= Limits.HIGHEST.maxRelationships(),
                "too many relationships");
        for (List<String> triple : thought.triples()) {
            require(triple.stream().noneMatch(String::isEmpty), "a part has no name: " + triple);
        }
        if (!text.contains(AgainstServerParserTest.FENCE)) {
            AgainstServerParserTest.requireSameReading(text, thought);
        }
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException(message);
        }
    }
}
