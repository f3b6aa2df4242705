package io.github.kgdb.thought;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds the script in a model's reply. Without a fence, the whole text is the script. With fences,
 * the script is their contents, one statement each; text around them is prose, and so is a fence in
 * another language.
 */
final class CodeFences {
    /**
     * @param text the reply with everything but script replaced by blanks, so that offsets stay the
     *     same; a ';' marks the end of a fence
     * @param closings the offsets of these ';'
     */
    record Script(String text, Set<Integer> closings) {}

    private static final int MIN_LENGTH = 3;
    private static final Set<String> LANGUAGES =
            Set.of("", "cypher", "opencypher", "neo4j", "cql", "sql");

    /** Script in the prose is refused, because it would be skipped silently. */
    private static final Pattern CLAUSE =
            Pattern.compile(
                    "\\s*(?:(?:"
                            + String.join("|", Clauses.ALL)
                            + ")\\b|(?i:create|merge|match|insert|foreach)\\s*\\()");

    private final String text;
    private final List<Line> lines;
    private final Set<Integer> closings = new HashSet<>();

    private CodeFences(String text) {
        this.text = text;
        this.lines = lines(text);
    }

    static Script script(String text) {
        CodeFences fences = new CodeFences(text);
        return new Script(text.contains("```") ? fences.script() : text, fences.closings);
    }

    private String script() {
        List<Line> markers = lines.stream().filter(line -> line.backticks >= MIN_LENGTH).toList();
        if (markers.isEmpty()) {
            return text;
        }
        char[] script = blank();
        if (markers.size() == 1 && isClosing(markers.get(0))) {
            copy(script, 0, markers.get(0).start);
            return String.valueOf(script);
        }
        Line open = null;
        for (Line line : lines) {
            if (open == null && line.backticks >= MIN_LENGTH) {
                open = line;
            } else if (open != null && open.isClosedBy(line)) {
                script[line.start] = ';';
                closings.add(line.start);
                open = null;
            } else if (open != null && LANGUAGES.contains(open.language)) {
                copy(script, line.start, line.end);
            } else {
                requireProse(line);
            }
        }
        return String.valueOf(script);
    }

    /** A model whose prompt ended with the opening fence writes only the closing one. */
    private boolean isClosing(Line marker) {
        return marker.language.isEmpty() && text.substring(marker.end).isBlank();
    }

    private void requireProse(Line line) {
        if (CLAUSE.matcher(text).region(line.start, line.end).lookingAt()) {
            throw new ScriptException(
                    ErrorCode.SYNTAX,
                    line.start,
                    "there is script outside the code fence; put all of it inside, and nothing"
                            + " else");
        }
    }

    private char[] blank() {
        char[] blank = text.toCharArray();
        for (int i = 0; i < blank.length; i++) {
            if (blank[i] != '\n' && blank[i] != '\r') {
                blank[i] = ' ';
            }
        }
        return blank;
    }

    private void copy(char[] script, int start, int end) {
        text.getChars(start, end, script, start);
    }

    private static List<Line> lines(String text) {
        List<Line> lines = new ArrayList<>();
        int start = 0;
        while (start < text.length()) {
            int end = start;
            while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
                end++;
            }
            lines.add(Line.of(text, start, end));
            start = end + 1;
        }
        return lines;
    }

    /**
     * @param backticks the number of leading backticks, 0 if the line is no fence marker
     * @param language the text after them, in lower case
     */
    private record Line(int start, int end, int backticks, String language) {
        static Line of(String text, int start, int end) {
            String line = text.substring(start, end).strip();
            int backticks = 0;
            while (backticks < line.length() && line.charAt(backticks) == '`') {
                backticks++;
            }
            String language = line.substring(backticks).strip().toLowerCase(Locale.ROOT);
            boolean isMarker = backticks >= MIN_LENGTH && language.indexOf('`') < 0;
            return new Line(start, end, isMarker ? backticks : 0, language);
        }

        boolean isClosedBy(Line line) {
            return line.backticks >= backticks && line.language.isEmpty();
        }
    }
}
