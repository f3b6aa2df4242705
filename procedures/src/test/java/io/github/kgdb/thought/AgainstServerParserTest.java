package io.github.kgdb.thought;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.Trials;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

/**
 * What this parser accepts, Neo4j's own accepts too, and reads the same out of it. The corpus is
 * where it begins; then scripts are made of its pieces, at random but the same ones every time.
 */
class AgainstServerParserTest {
    private static final int MUTATIONS = Trials.of(100_000);
    private static final int MAX_LENGTH = 400;
    private static final long SEED = 20261121;

    /** Only our parser takes a script out of a code fence, and accepts an empty statement. */
    static final String FENCE = "```";

    private static final String EMPTY_STATEMENT = "Invalid input ';'";

    private static final List<String> PIECES =
            List.of(
                    "(",
                    ")",
                    "[",
                    "]",
                    "{",
                    "}",
                    "-",
                    "->",
                    "<-",
                    "--",
                    ":",
                    ",",
                    ";",
                    "=",
                    "|",
                    "&",
                    "!",
                    "*",
                    "+",
                    ".",
                    "..",
                    "$",
                    "'",
                    "\"",
                    "`",
                    "\\",
                    "\\u0027",
                    "\\u0060",
                    "\\u005c",
                    "\\n",
                    "/",
                    "//",
                    "/*",
                    "*/",
                    "\n",
                    " ",
                    "\t",
                    "\u00a0",
                    "\u200b",
                    "0",
                    "1",
                    "-1",
                    "1.5",
                    "1e9",
                    "007",
                    "0x1",
                    "true",
                    "null",
                    "'x'",
                    "[1, 2]",
                    "a",
                    "b",
                    "名",
                    "é",
                    "`a b`",
                    "CREATE ",
                    "MERGE ",
                    "RETURN ",
                    "RETURN *",
                    "AS ",
                    "MATCH (n) ",
                    "SET a.x = 1 ",
                    "DETACH DELETE a ",
                    "WITH * ",
                    "(a:A {x: 1})",
                    "-[:R]->",
                    "<-[r:R {y: 'z'}]-",
                    ":A:B",
                    ":A&B",
                    "{x: 1}",
                    "WHERE ",
                    "IS ",
                    "p = ",
                    "ON CREATE SET a.x = 1 ",
                    "CALL db.labels() ",
                    "a.x",
                    "count(*)",
                    "😀",
                    "\ud83d");

    @Test
    void onEveryAllowedScript() {
        for (Corpus.Allowed each : Corpus.allowed()) {
            if (!each.script().contains(FENCE)) {
                assertTrue(isAcceptedByBoth(each.script()), each::position);
            }
        }
    }

    @Test
    void onScriptsMadeAtRandom() {
        Random random = new Random(SEED);
        List<String> allowed = Corpus.allowed().stream().map(Corpus.Allowed::script).toList();
        List<String> refused =
                Corpus.refused().stream()
                        .map(Corpus.Refused::script)
                        .filter(script -> script.length() < MAX_LENGTH)
                        .toList();
        int accepted = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            List<String> seeds = random.nextInt(8) == 0 ? refused : allowed;
            String script = mutated(one(seeds, random), one(allowed, random), random);
            if (!script.contains(FENCE) && isAcceptedByBoth(script)) {
                accepted++;
            }
        }
        assertTrue(accepted > MUTATIONS / 10, accepted + " accepted: too few to tell anything");
    }

    private static boolean isAcceptedByBoth(String script) {
        if (ThoughtParser.parse(script, Limits.HIGHEST) instanceof Thought ours) {
            requireSameReading(script, ours);
            return true;
        }
        return false;
    }

    /** Fails if Neo4j refuses the script or parses something else from it. */
    static void requireSameReading(String script, Thought ours) {
        try {
            assertEquals(ServerParser.parse(script, Limits.HIGHEST), ours, script);
        } catch (RuntimeException refused) {
            assertTrue(
                    refused.getMessage().startsWith(EMPTY_STATEMENT),
                    () -> "accepted: " + script + "\nby Neo4j: " + refused);
        }
    }

    private static String mutated(String seed, String other, Random random) {
        StringBuilder script = new StringBuilder(seed);
        for (int changes = 1 + random.nextInt(2); changes > 0; changes--) {
            int start = random.nextInt(script.length() + 1);
            int end = Math.min(script.length(), start + random.nextInt(4));
            switch (random.nextInt(4)) {
                case 0 -> script.delete(start, end);
                case 1 -> script.insert(start, one(PIECES, random));
                case 2 -> script.replace(start, end, one(PIECES, random));
                default -> script.insert(start, part(other, random));
            }
        }
        return script.toString();
    }

    private static String part(String text, Random random) {
        int start = random.nextInt(text.length() + 1);
        return text.substring(start, start + random.nextInt(text.length() - start + 1));
    }

    private static <T> T one(List<T> items, Random random) {
        return items.get(random.nextInt(items.size()));
    }
}
