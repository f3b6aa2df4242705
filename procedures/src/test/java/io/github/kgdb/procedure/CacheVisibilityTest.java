package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.graphdb.Transaction;

import java.util.List;
import java.util.Map;

/** The caches never show another state than the store. */
class CacheVisibilityTest {
    private static final String NEIGHBORS =
            "CALL kgdb.neighbors('hub', {kg: 'g', limit: 100}) YIELD name RETURN name AS last"
                    + " ORDER BY name DESC LIMIT 1";
    private static final String COUNT = "CALL kgdb.relations.around('hub', {kg: 'g'}) YIELD count";
    private static final String OF_ID = "CALL kgdb.neighbors('1', {kg: 'g'}) YIELD id";

    @AutoClose private static final TestDatabase database = TestDatabase.with();

    @BeforeEach
    void fill() {
        database.rows("MATCH (n) DETACH DELETE n");
        database.rows(
                "CREATE (:KnowledgeGraph {name: 'g', label: 'G'}), (hub:G {id: 'hub'}) FOREACH (i"
                        + " IN range(1, 80) | CREATE (hub)-[:r]->(:G {id: toString(i)}))");
        // Once to fill the cache, and once to read from it.
        assertEquals(List.of("9"), database.column(NEIGHBORS));
        assertEquals(List.of("9"), database.column(NEIGHBORS));
        assertEquals(List.of(80L), database.column(COUNT));
        assertEquals(List.of("hub"), database.column(OF_ID));
    }

    @Test
    void relationshipsThatAreCommittedAreSeen() {
        database.rows("MATCH (hub:G {id: 'hub'}) CREATE (hub)-[:r]->(:G {id: 'new'})");
        assertEquals(List.of("new"), database.column(NEIGHBORS));
        assertEquals(List.of(81L), database.column(COUNT));
        database.rows("MATCH (n:G {id: 'new'}) DETACH DELETE n");
        assertEquals(List.of("9"), database.column(NEIGHBORS));
        assertEquals(List.of(80L), database.column(COUNT));
    }

    @Test
    void namesThatAreCommittedAreSeen() {
        database.rows("MATCH (n:G {id: '9'}) SET n.name = 'renamed'");
        assertEquals(List.of("renamed"), database.column(NEIGHBORS));
    }

    @Test
    void namesAndAliasesByWhichAnEntityWasFoundAreReadAgain() {
        database.rows(
                "CREATE FULLTEXT INDEX kgdb_G_names IF NOT EXISTS FOR (n:G) ON EACH [n.name,"
                        + " n.aliases]");
        database.rows("CREATE INDEX ids IF NOT EXISTS FOR (n:G) ON (n.id)");
        database.rows("CALL db.awaitIndexes(60)");
        database.rows(
                "MATCH (n:G {id: '9'}) SET n.name = 'Grace Hopper', n.aliases = ['Amazing Grace'],"
                        + " n.pagerank = 0.1");
        String link =
                "CALL kgdb.entities.link('g', ['grace hopper', 'amazing grace']) YIELD id, matched,"
                        + " reason RETURN id + ' ' + matched + ' ' + reason AS row";
        List<String> found = List.of("9 Grace Hopper case", "9 Amazing Grace case");
        assertEquals(found, database.column(link));
        assertEquals(found, database.column(link));
        database.rows("MATCH (n:G {id: '9'}) SET n.aliases = ['AMAZING grace']");
        assertEquals(List.of("9 Grace Hopper case", "9 AMAZING grace case"), database.column(link));
        try (Transaction transaction = database.service().beginTx()) {
            TestDatabase.rows(
                    transaction,
                    "MATCH (n:G {id: '9'}) SET n.aliases = ['amazing grace']",
                    Map.of());
            assertEquals(
                    List.of(
                            Map.of("row", "9 Grace Hopper case"),
                            Map.of("row", "9 amazing grace exact")),
                    TestDatabase.rows(transaction, link, Map.of()));
        }
        assertEquals(List.of("9 Grace Hopper case", "9 AMAZING grace case"), database.column(link));
        database.rows("MATCH (n:G {id: '7'}) SET n.id = 'grace hopper'");
        assertEquals(
                List.of(
                        "grace hopper grace hopper exact",
                        "9 Grace Hopper case",
                        "9 AMAZING grace case"),
                database.column(link));
        database.rows("MATCH (n:G {id: '9'}) SET n:Literal");
        assertEquals(List.of("grace hopper grace hopper exact"), database.column(link));
        database.rows("DROP INDEX ids");
    }

    @Test
    void labelsThatAreCommittedAreSeen() {
        database.rows("MATCH (n:G {id: '9'}) REMOVE n:G");
        assertEquals(List.of("80"), database.column(NEIGHBORS));
    }

    @Test
    void aRelationThatNowLeadsOutOfTheGraphIsFollowedWithinIt() {
        String all = "CALL kgdb.neighbors('hub', {kg: 'g', limit: 1000}) YIELD id";
        assertEquals(80, database.column(all).size());
        database.rows("MATCH (hub:G {id: 'hub'}) CREATE (hub)-[:r]->(:Other {id: 'outside'})");
        assertEquals(80, database.column(all).size());
        assertEquals(80, database.column(all).size());
    }

    @Test
    void idsThatChangeHandsAreFound() {
        database.rows("MATCH (n:G {id: '1'}) SET n.id = 'other'");
        database.rows("CREATE (:G {id: '1'})-[:r]->(:G {id: 'elsewhere'})");
        assertEquals(List.of("elsewhere"), database.column(OF_ID));
    }

    @Test
    void whatTheCallerHasNotCommittedIsSeenByTheCallerOnly() {
        try (Transaction transaction = database.service().beginTx()) {
            TestDatabase.rows(
                    transaction,
                    "MATCH (hub:G {id: 'hub'}), (n:G {id: '9'}) SET n.name = 'mine'"
                            + " CREATE (hub)-[:r]->(:G {id: 'my own'})",
                    Map.of());
            assertEquals(
                    List.of(Map.of("last", "my own")),
                    TestDatabase.rows(transaction, NEIGHBORS, Map.of()));
            assertEquals(
                    List.of(Map.of("count", 81L)), TestDatabase.rows(transaction, COUNT, Map.of()));
            assertEquals(List.of("9"), database.column(NEIGHBORS));
        }
        assertEquals(List.of("9"), database.column(NEIGHBORS));
        assertEquals(List.of(80L), database.column(COUNT));
    }

    @Test
    void aLabelThatIsAskedForIsTestedInAHubAsWell() {
        database.rows("MATCH (n:G {id: '7'}) SET n:Red");
        assertEquals(
                List.of("7"),
                database.column(
                        "CALL kgdb.neighbors('hub', {kg: 'g', labels: ['Red']}) YIELD name"));
        assertEquals(
                List.of("7"),
                database.column(
                        "CALL kgdb.neighbors('hub', {kg: 'g', labels: ['Red']}) YIELD name"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"out", "in", "both"})
    void ranksAroundAHubStayTheSame(String direction) {
        database.rows(
                "MATCH (hub:G {id: 'hub'}), (one:G {id: '1'}), (two:G {id: '2'})"
                        + " CREATE (hub)-[:r]->(one), (hub)-[:s]->(hub), (one)-[:s]->(two)"
                        + " FOREACH (i IN range(1, 300) | CREATE (hub)<-[:s]-(:G {id: 'in' + i}))");
        String ranks =
                "CALL kgdb.pagerank(['hub', '1', '2', '80', 'in7'], null, {kg: 'g', direction: '"
                        + direction
                        + "'}) YIELD id, score";
        List<Map<String, Object>> read = database.rows(ranks);
        assertTrue(3 < read.stream().map(row -> row.get("score")).distinct().count());
        // More calls than it takes until the relationships of one direction are cached.
        for (int call = 0; call < 8; call++) {
            assertEquals(read, database.rows(ranks));
        }
    }
}
