package io.github.kgdb.thought;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the scripts of {@code tests/corpus/got}; its README describes the files. */
public final class Corpus {
    private static final Path FOLDER = Path.of("..", "tests", "corpus", "got");
    private static final String HEADER = "=====";
    private static final String RESULT = "\n----- ";
    private static final Pattern CHARACTER = Pattern.compile("⟦U\\+([0-9A-F]+)⟧");
    private static final Pattern REPEATED = Pattern.compile("⟦(\\d+) × (.*?)⟧", Pattern.DOTALL);

    /**
     * @param position file and line number
     */
    public record Refused(String position, String script, String code) {}

    public record Allowed(String position, String script, int nodes, List<List<String>> triples) {}

    private Corpus() {}

    public static List<Refused> refused() {
        return read(
                "refuse",
                (position, block) -> {
                    String[] parts = block.split("\n", 2);
                    return new Refused(position, written(parts[1]), parts[0].strip());
                });
    }

    public static List<Allowed> allowed() {
        return read(
                "run",
                (position, block) -> {
                    String[] parts = block.substring(block.indexOf('\n') + 1).split(RESULT);
                    String[] result = written(parts[1]).split("\n");
                    List<List<String>> triples =
                            Stream.of(result)
                                    .skip(1)
                                    .map(line -> List.of(line.split(" \\| ", -1)))
                                    .toList();
                    int nodes = Integer.parseInt(result[0].split(" ")[0]);
                    return new Allowed(position, written(parts[0]), nodes, triples);
                });
    }

    private static <T> List<T> read(String folder, BiFunction<String, String, T> reader) {
        List<T> scripts = new ArrayList<>();
        try (Stream<Path> files = Files.list(FOLDER.resolve(folder))) {
            for (Path file : files.sorted().toList()) {
                int line = 1;
                for (String block : ("\n" + Files.readString(file)).split("\n" + HEADER)) {
                    if (!block.isEmpty()) {
                        String position = folder + "/" + file.getFileName() + ":" + line;
                        scripts.add(reader.apply(position, block));
                        line += 1 + (int) block.chars().filter(c -> c == '\n').count();
                    }
                }
            }
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        return scripts;
    }

    private static String written(String text) {
        String end = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        String characters =
                CHARACTER
                        .matcher(
                                end.replace("⟦FILE⟧", "file:///canary.csv")
                                        .replace("⟦HTTP⟧", "http://127.0.0.1:9/canary.csv"))
                        .replaceAll(
                                found ->
                                        java.util.regex.Matcher.quoteReplacement(
                                                Character.toString(
                                                        Integer.parseInt(found.group(1), 16))));
        return REPEATED.matcher(characters)
                .replaceAll(
                        found ->
                                java.util.regex.Matcher.quoteReplacement(
                                        found.group(2).repeat(Integer.parseInt(found.group(1)))));
    }
}
