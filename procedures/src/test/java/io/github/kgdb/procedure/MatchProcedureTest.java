package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.util.List;

class MatchProcedureTest {
    @AutoClose
    private static final TestDatabase database =
            TestDatabase.with(
                    "CREATE (:KnowledgeGraph {name: 'films', label: 'Films'})",
                    """
CREATE (ada:Entity:Films {id: 'ada', name: 'Ada'}), (bob:Entity:Films {id: 'bob'}),
       (x:Entity:Films {id: 'x'}), (y:Entity:Films {id: 'y'}), (z:Entity:Films {id: 'z'}),
       (dir:Entity:Films {id: 'dir', name: 'The Director'}), (fr:Entity:Films {id: 'fr'}),
       (m:Entity:Films:Mediator {id: 'm'}), (out:Entity:Other {id: 'out'})
CREATE (x)-[:cast]->(ada), (x)-[:cast]->(bob), (y)-[:cast]->(ada), (z)-[:cast]->(bob),
       (x)-[:by]->(dir), (y)-[:by]->(dir), (z)-[:by]->(ada), (x)-[:lang]->(fr),
       (ada)-[:knows]->(ada), (ada)-[:knows]->(bob), (ada)-[:knows]->(bob), (y)-[:cast]->(out),
       (ada)-[:spouse]->(m), (m)-[:spouse_of]->(bob)
""");

    private static List<Object> match(
            String thought, String grounding, String config, String shown) {
        return database.column(
                "CALL kgdb.got.match("
                        + thought
                        + ", "
                        + grounding
                        + ", "
                        + config
                        + ") YIELD id, name, score, ids, names, relations, similarities, triples,"
                        + " count, cut, batch RETURN "
                        + shown);
    }

    private static String error(String thought, String grounding, String config) {
        return database.error(
                "CALL kgdb.got.match(" + thought + ", " + grounding + ", " + config + ")");
    }

    private static final String CHAIN =
            "{relationships: [{source: 'a', type: 'in', target: 'f'},"
                    + " {source: 'f', type: 'director', target: 'd'}]}";
    private static final String CHAIN_GROUNDING =
            "{nodes: {a: 'ada'}, relations: {in: {`^cast`: 0.5}, director: {by: 0.25}}}";

    @Test
    void aChainLeadsToTheAnswer() {
        assertEquals(
                List.of("dir The Director 0.75", "dir The Director 0.75"),
                match(
                        CHAIN,
                        CHAIN_GROUNDING,
                        "{kg: 'films', answer: 'd'}",
                        "id + ' ' + name + ' ' + score"));
    }

    @Test
    void evidenceIsTheFactsAsTheGraphStatesThem() {
        assertEquals(
                List.of(List.of(List.of("x", "cast", "ada"), List.of("x", "by", "dir"))),
                match(CHAIN, CHAIN_GROUNDING, "{kg: 'films', limit: 1}", "triples"));
    }

    @Test
    void twoChainsMeetInOneVariable() {
        assertEquals(
                List.of("x"),
                match(
                        "{relationships: [{source: 'f', type: 'c', target: 'a'},"
                                + " {source: 'f', type: 'c', target: 'b'}]}",
                        "{nodes: {a: ['ada'], b: ['bob']}, relations: {c: {cast: 1}}}",
                        "{kg: 'films', answer: 'f'}",
                        "id"));
    }

    @Test
    void noRelationshipIsUsedTwice() {
        String loop =
                "{relationships: [{source: 'f', type: 'there', target: 'd'},"
                        + " {source: 'd', type: 'back', target: 'f'}]}";
        assertEquals(
                List.of(),
                match(
                        loop,
                        "{nodes: {f: 'x'}, relations: {there: {by: 1}, back: {`^by`: 1}}}",
                        "{kg: 'films'}",
                        "ids"));
        assertEquals(
                List.of(2L),
                match(
                        loop,
                        "{nodes: {f: 'ada', d: 'bob'},"
                                + " relations: {there: {knows: 1}, back: {`^knows`: 1}}}",
                        "{kg: 'films'}",
                        "count"));
    }

    @Test
    void twoVariablesMayBeOneEntity() {
        assertEquals(
                List.of("ada", "bob"),
                match(
                        "{relationships: [{source: 'a', type: 'k', target: 'b'}]}",
                        "{nodes: {a: 'ada'}, relations: {k: {knows: 1}}}",
                        "{kg: 'films', answer: 'b'}",
                        "id"));
    }

    @Test
    void optionalRelationshipsMayBeAbsent() {
        assertEquals(
                List.of("x fr 2.0 1", "y null 1.0 0"),
                match(
                        "{relationships: [{source: 'f', type: 'c', target: 'a'},"
                                + " {source: 'f', type: 'l', target: 'l', optional: true}]}",
                        "{nodes: {a: 'ada'}, relations: {c: {cast: 1}, l: {lang: 1}}}",
                        "{kg: 'films', answer: 'l'}",
                        "ids.f + ' ' + coalesce(id, 'null') + ' ' + score + ' '"
                                + " + size(relations[1])"));
    }

    @Test
    void whatHangsOnAnAbsentRelationshipIsAbsentToo() {
        assertEquals(
                List.of("y null null 1.0"),
                match(
                        "{relationships: [{source: 'f', type: 'c', target: 'a'},"
                                + " {source: 'f', type: 'l', target: 'l', optional: true},"
                                + " {source: 'l', type: 'c', target: 'k', optional: true}]}",
                        "{nodes: {a: 'ada', f: 'y'}, relations: {c: {cast: 1}, l: {lang: 1}}}",
                        "{kg: 'films'}",
                        "ids.f + ' ' + coalesce(ids.l, 'null') + ' ' + coalesce(ids.k, 'null')"
                                + " + ' ' + score"));
    }

    @Test
    void groundedEntitiesAddTheirScore() {
        assertEquals(
                List.of("x bob 2.0", "z bob 2.0", "x ada 1.5"),
                match(
                        "{relationships: [{source: 'a', type: 'in', target: 'f'}]}",
                        "{nodes: {a: {ada: 0.5, bob: 1.0}}, relations: {in: {`^cast`: 1}}}",
                        "{kg: 'films', limit: 3}",
                        "ids.f + ' ' + ids.a + ' ' + score"));
    }

    @Test
    void aMediatorLiesOnOneRelationship() {
        assertEquals(
                List.of("bob spouse spouse_of 1.0"),
                match(
                        "{relationships: [{source: 'a', type: 'married to', target: 'b'}]}",
                        "{nodes: {a: 'ada'}, relations: {`married to`: {spouse: 1, spouse_of: 1}}}",
                        "{kg: 'films', mediators: true, answer: 'b'}",
                        "id + ' ' + relations[0][0] + ' ' + relations[0][1] + ' ' + score"));
    }

    @Test
    void indexesIntoNodesAreAcceptedAsTheSandboxReturnsThem() {
        assertEquals(
                List.of("dir"),
                match(
                        "{nodes: [{variable: 'film'}, {variable: null}],"
                                + " relationships: [{source: 0, type: 'by', target: 1}]}",
                        "{nodes: {film: 'x'}, relations: {by: {by: 1}}}",
                        "{kg: 'films', answer: '_1'}",
                        "id"));
    }

    @Test
    void severalThoughtsAreSearchedAlone() {
        assertEquals(
                List.of("0 dir", "1 fr"),
                database.column(
                        "WITH {relationships: [{source: 'f', type: 't', target: 'd'}]} AS thought"
                                + " CALL kgdb.got.match([thought, thought],"
                                + " [{nodes: {f: 'y'}, relations: {t: {by: 1}}},"
                                + "  {nodes: {f: 'x'}, relations: {t: {lang: 1}}}],"
                                + " {kg: 'films', answer: 'd'}) YIELD batch, id"
                                + " RETURN batch + ' ' + id"));
    }

    @Test
    void theLimitIsReported() {
        assertEquals(
                List.of(List.of("limit")),
                match(CHAIN, CHAIN_GROUNDING, "{kg: 'films', limit: 1}", "cut"));
    }

    @Test
    void aHubThatIsNotExpandedIsReported() {
        assertEquals(
                List.of(List.of("maxDegree: ada")),
                match(CHAIN, CHAIN_GROUNDING, "{kg: 'films', maxDegree: 1}", "cut"));
    }

    @Test
    void aThoughtThatHangsInTheAirIsRefused() {
        assertEquals(
                "kgdb.got.match: grounding: no way leads from a grounded node to 'a', 'f', 'd';"
                        + " ground one of them in grounding.nodes",
                error(
                        CHAIN,
                        "{nodes: {}, relations: {in: {cast: 1}, director: {by: 1}}}",
                        "{kg: 'films'}"));
    }

    @Test
    void aTypeWithoutGroundingIsRefused() {
        assertEquals(
                "kgdb.got.match: grounding.relations says nothing of the type 'director'; give a"
                        + " MAP of relations to similarities for it",
                error(CHAIN, "{nodes: {a: 'ada'}, relations: {in: {cast: 1}}}", "{kg: 'films'}"));
    }

    @Test
    void anUnknownVariableIsRefused() {
        assertEquals(
                "kgdb.got.match: answer: the thought has no variable 'dd'; it has a, f, d (did you"
                        + " mean 'd'?)",
                error(CHAIN, CHAIN_GROUNDING, "{kg: 'films', answer: 'dd'}"));
    }

    @Test
    void whatIsNoThoughtIsRefused() {
        assertEquals(
                "kgdb.got.match: thought: expected a MAP, got 'x' (STRING)",
                error("'x'", "{}", "{kg: 'films'}"));
        assertEquals(
                "kgdb.got.match: thought.relationships: expected at least one relationship, got"
                        + " none",
                error("{}", "{nodes: {}, relations: {}}", "{kg: 'films'}"));
        assertEquals(
                "kgdb.got.match: thought.relationships: source: expected a variable, or a place in"
                        + " thought.nodes (0 to 0), got 7 (INTEGER)",
                error(
                        "{nodes: [{variable: 'a'}],"
                                + " relationships: [{source: 7, type: 't', target: 0}]}",
                        "{nodes: {a: 'ada'}, relations: {t: {by: 1}}}",
                        "{kg: 'films'}"));
    }
}
