package io.github.kgdb.thought;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The result of parsing a script, and the message for a script that cannot be parsed. */
class ThoughtParserTest {
    private static Thought thought(String script) {
        return assertInstanceOf(Thought.class, ThoughtParser.parse(script, Limits.HIGHEST), script);
    }

    private static ScriptError error(String script) {
        return error(script, Limits.HIGHEST);
    }

    private static ScriptError error(String script, Limits limits) {
        return assertInstanceOf(ScriptError.class, ThoughtParser.parse(script, limits), script);
    }

    private static String place(String script) {
        ScriptError error = error(script);
        return error.line() + ":" + error.column();
    }

    @Test
    void everythingOfANode() {
        assertEquals(
                List.of(
                        new Thought.Node(
                                "a",
                                List.of("B", "A"),
                                Map.of(
                                        "text",
                                        "x",
                                        "whole",
                                        1L,
                                        "real",
                                        -1.5,
                                        "yes",
                                        true,
                                        "list",
                                        List.of("y", "z")))),
                thought(
                                "CREATE (a:B:A {text: 'x', whole: 1, real: -1.5, yes: TRUE, no:"
                                        + " null, list: ['y', \"z\"]})")
                        .nodes());
    }

    @Test
    void propertiesKeepTheirOrder() {
        assertEquals(
                List.of("z", "a", "m"),
                List.copyOf(
                        thought("CREATE ({z: 1, a: 2, x: null, m: 3})")
                                .nodes()
                                .get(0)
                                .properties()
                                .keySet()));
    }

    @Test
    void everythingOfARelationship() {
        assertEquals(
                List.of(
                        new Thought.Relationship(0, "R", 1, Map.of("x", 1L)),
                        new Thought.Relationship(2, "S", 1, Map.of())),
                thought("CREATE (a)-[r:R {x: 1}]->(b)<-[:S]-(c)").relationships());
    }

    @Test
    void aRecordOfAThoughtCannotBeChanged() {
        Thought.Node node = thought("CREATE (a:A {x: [1]})").nodes().get(0);
        assertThrows(UnsupportedOperationException.class, () -> node.properties().put("y", "z"));
        assertThrows(UnsupportedOperationException.class, () -> node.labels().add("B"));
    }

    @Test
    void aMergedNodeKeepsItsFirstVariable() {
        assertEquals(
                List.of("a"),
                thought("MERGE (a:A {x: 1}) MERGE (b:A {x: 1}) RETURN a, b").nodes().stream()
                        .map(Thought.Node::variable)
                        .toList());
    }

    @Test
    void anUndirectedRelationshipUnderMergeGoesFromLeftToRight() {
        assertEquals(
                List.of(new Thought.Relationship(0, "R", 1, Map.of())),
                thought("MERGE (a)-[:R]-(b) MERGE (b)-[:R]-(a) MERGE (a)-[:R]-(b)")
                        .relationships());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '¦',
            quoteCharacter = '"',
            textBlock =
                    """
CREATE (a:A {name: 'x'} CREATE (b)¦expected ')' to close the node, found 'CREATE'; names with spaces go in backticks
CREATE (a)-[:R]->¦expected '(' to begin a node, found the end of the script
CREATE (a)-[:R]->b¦expected '(' to begin a node, found 'b'; every node goes in parentheses
CREATE (a)-[]->(b)¦expected ':' and the type of the relationship, found ']'; every relationship needs a type, as in -[:KNOWS]->
CREATE (a)-->(b)¦expected '[' and the type of the relationship, found '-'; every relationship needs a type, as in -[:KNOWS]->
CREATE (a)-[:acts in]->(b)¦expected ']' to close the relationship, found 'in'; names with spaces go in backticks
CREATE (a)-[:R|S]->(b)¦expected ']' to close the relationship, found '|'; only one certain thing can be created
CREATE (a)-[:R]-(b)¦the relationship has no direction; write its arrow, as in -[:KNOWS]->
CREATE (a)<-[:R]->(b)¦the relationship points both ways; write one arrow, or two relationships
CREATE (a:3D)¦'3D' is neither a number nor a name; a name that begins with a digit goes in backticks
CREATE (a {name: 'it's'})¦expected ',' or '}' after the value, found 's'; a quote inside a text is written \\' or \\"
CREATE (a {'name': 'x'})¦expected the name of a property, found the text 'name'; write it without quotes
CREATE (a {x: date('2020-01-01')})¦expected a text in quotes, a number, true, false, null or a list of these, found 'date'; write the value itself: no functions, parameters or variables
CREATE (a {x: 1 + 1})¦expected ',' or '}' after the value, found '+'; nothing is computed here
CREATE (a {x: {y: 1}})¦a property cannot hold a map
CREATE (a {x: [[1]]})¦a list cannot hold a list or a map
CREATE (a {x: 1, x: 2})¦the property 'x' is given twice
CREATE (a {x: 99999999999999999999})¦the number 99999999999999999999 is out of range; put it in quotes to keep it as a text
CREATE (a {x: 007})¦'007' begins with 0; leave that out, or put it in quotes
CREATE (a {x: “y”})¦found '“' (U+201C): a text is put in ' or "
CREATE （a）¦found the full-width '（' (U+FF08): outside texts, write the plain ASCII character
MATCH (n) RETURN n¦expected CREATE, MERGE or the end of the script, found 'MATCH'; a thought is written with CREATE and MERGE alone
CREATE (a) SET a.x = 1¦expected CREATE, MERGE or the end of the script, found 'SET'; a thought is written with CREATE and MERGE alone
CREATE INDEX ON :A(x)¦expected '(' to begin a node, found 'INDEX'; CREATE makes nodes and relationships only
MERGE (a), (b)¦expected one path in a MERGE, found ','; write MERGE before each path
CREATE (a:A) RETURN a.x¦expected ',' or the end of the script after a variable, found '.'; RETURN may name variables, and nothing else
CREATE (a:A) RETURN b¦the variable 'b' is not declared
CREATE (a:A), (a:B)¦the variable 'a' is declared already, and differently; use the bare variable for the same thing, and another for a new one
Sorry, I cannot¦expected CREATE, MERGE or the end of the script, found 'Sorry'
""")
    void messagesSayHowToCorrectTheScript(String script, String message) {
        assertEquals(message, error(script).message());
    }

    @Test
    void whatAMessageShowsOfTheScriptIsShort() {
        assertTrue(error("CREATE (a " + "x".repeat(5000)).message().length() < 120);
    }

    @Test
    void positionsCountLinesAndCodePoints() {
        assertEquals("1:8", place("CREATE [a]"));
        assertEquals("3:1", place("CREATE (a)\n\nMATCH (n)"));
        assertEquals("2:3", place("CREATE (a)\r\n  MATCH (n)"));
        assertEquals("2:1", place("CREATE (a)\rMATCH (n)"));
        assertEquals("1:22", place("CREATE (a {x: '😀😀'}) MATCH (n)"));
    }

    @Test
    void positionsAreThoseOfTheWholeTextAroundAFence() {
        assertEquals("4:3", place("Here it is:\n```cypher\nCREATE (a)\n  SET a.x = 1\n```\nDone."));
    }

    @Test
    void whatEndsTooEarlyIsWrongWhereItsContentEnds() {
        assertEquals("1:10", place("CREATE (a"));
        assertEquals("2:5", place("CREATE\n (a:  \n\n"));
    }

    @Test
    void eachLimitIsKept() {
        Limits limits = new Limits(50, 2, 1, 3);
        assertEquals(ErrorCode.TOO_LARGE, error(" ".repeat(51), limits).code());
        assertEquals(
                "the script has more than 2 nodes",
                error("CREATE (a), (b), (c)", limits).message());
        assertEquals(
                "the script has more than 1 relationships",
                error("CREATE (a)-[:R]->(a)-[:R]->(a)", limits).message());
        assertEquals(
                "the list has more than 3 items",
                error("CREATE ({x: [1, 2, 3, 4]})", limits).message());
        assertInstanceOf(
                Thought.class,
                ThoughtParser.parse("CREATE (a {x: [1, 2, 3]})-[:R]->(b) // 012345678", limits));
    }

    @Test
    void lengthIsCountedInCodePoints() {
        Limits limits = new Limits(20, 2, 1, 3);
        assertInstanceOf(Thought.class, ThoughtParser.parse("CREATE ({x: '😀😀😀😀'})", limits));
        assertEquals(ErrorCode.TOO_LARGE, error("CREATE ({x: '😀😀😀😀😀'})", limits).code());
    }

    @Test
    void aMergedNodeIsCountedOnce() {
        assertInstanceOf(
                Thought.class,
                ThoughtParser.parse(
                        "MERGE (a {x: 1}) MERGE (b {x: 1}) MERGE (c {x: 1})",
                        new Limits(100, 1, 0, 0)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(",
                "[",
                "{",
                "`",
                "'",
                "/*",
                "//",
                "\\",
                "-[",
                "CREATE (",
                "(a),",
                "```\n",
                ";"
            })
    void timeGrowsWithLengthOnly(String piece) {
        String script = "CREATE (a), " + piece.repeat(19_900 / piece.length());
        ThoughtParser.parse(script, Limits.HIGHEST);
        Instant begin = Instant.now();
        ThoughtParser.parse(script, Limits.HIGHEST);
        assertTrue(Duration.between(begin, Instant.now()).toMillis() < 500, piece);
    }
}
