package io.github.kgdb.thought;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What this parser accepts, Neo4j's own accepts too, and reads the same out of it. The corpus is
 * where it begins; then scripts are made of its pieces, at random but the same ones every time.
 */
class AgainstServerParserTest {
    private static final int MUTATIONS = 40_000;
    private static final int LONGEST = 400;
    private static final long SEED = 20261121;

    /** Forms that are ours alone: statements with nothing in them, and code fences. */
    private static boolean isOursAlone(String script) {
        return script.contains("```") || script.replaceAll("[\\s\u3000\u00a0]", "").contains(";;");
    }

    private static final List<String> PIECES =
            List.of(
                    "(", ")", "[", "]", "{", "}", "-", "->", "<-", "--", ":", ",", ";", "=", "|",
                    "&", "!", "*", "+", ".", "..", "$", "'", "\"", "`", "\\", "\\u0027", "\\u0060",
                    "\\u005c", "\\n", "/", "//", "/*", "*/", "\n", " ", "\t", "\u00a0", "\u200b",
                    "0", "1", "-1", "1.5", "1e9", "007", "0x1", "true", "null", "'x'", "[1, 2]",
                    "a", "b", "名", "é", "`a b`", "CREATE ", "MERGE ", "RETURN ", "RETURN *", "AS ",
                    "MATCH (n) ", "SET a.x = 1 ", "DETACH DELETE a ", "WITH * ", "(a:A {x: 1})",
                    "-[:R]->", "<-[r:R {y: 'z'}]-", ":A:B", ":A&B", "{x: 1}", "WHERE ", "IS ", "p = ",
                    "ON CREATE SET a.x = 1 ", "CALL db.labels() ", "a.x", "count(*)", "😀", "\ud83d");

    @Test
    void onEveryAllowedScript() {
        for (Corpus.Allowed each : Corpus.allowed()) {
            if (!isOursAlone(each.script())) {
                assertTrue(isAcceptedByBoth(each.script()), each::place);
            }
        }
    }

    @Test
    void onScriptsMadeAtRandom() {
        Random random = new Random(SEED);
        List<String> seeds = new ArrayList<>();
        Corpus.allowed().forEach(each -> seeds.add(each.script()));
        Corpus.refused().forEach(each -> seeds.add(each.script()));
        seeds.removeIf(seed -> seed.length() > LONGEST || isOursAlone(seed));
        int accepted = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            String script = mutated(seeds, random);
            if (!isOursAlone(script) && isAcceptedByBoth(script)) {
                accepted++;
            }
        }
        assertTrue(accepted > MUTATIONS / 20, accepted + " accepted: too few to tell anything");
    }

    /** Fails where only ours accepts it, or where the two read different things. */
    private static boolean isAcceptedByBoth(String script) {
        if (!(ThoughtParser.parse(script, Limits.HIGHEST) instanceof Thought ours)) {
            return false;
        }
        try {
            assertEquals(ServerParser.parse(script, Limits.HIGHEST), ours, script);
        } catch (RuntimeException refused) {
            fail("accepted: " + script + "\nby Neo4j: " + refused.getMessage());
        }
        return true;
    }

    private static String mutated(List<String> seeds, Random random) {
        StringBuilder script = new StringBuilder(one(seeds, random));
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int start = random.nextInt(script.length() + 1);
            int end = Math.min(script.length(), start + random.nextInt(4));
            switch (random.nextInt(4)) {
                case 0 -> script.delete(start, end);
                case 1 -> script.insert(start, one(PIECES, random));
                case 2 -> script.replace(start, end, one(PIECES, random));
                default -> script.insert(start, part(one(seeds, random), random));
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
