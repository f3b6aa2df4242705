package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.util.List;

/** A node without an id: each procedure accepts the id that another returns. */
class NodeWithoutIdTest {
    @AutoClose
    private static final TestDatabase database =
            TestDatabase.with(
                    "CREATE (:KnowledgeGraph {name: 'g', label: 'G'}),"
                            + " (:G {id: 'a'})-[:r]->(:G)-[:r]->(:G {id: 'b'}), (:H {name: 'h'})");

    @Test
    void aNodeWithoutIdIsFoundByItsElementId() {
        assertEquals(
                List.of("r"),
                database.column(
                        "CALL kgdb.follow('a', ['r'], {kg: 'g'}) YIELD id"
                                + " CALL kgdb.neighbors(id, {kg: 'g', direction: 'out'}) YIELD"
                                + " relation RETURN relation"));
    }

    @Test
    void elementIdsOfNodesWithIdsAreRefused() {
        for (String other : List.of("(n:H)", "(n:G {id: 'a'})")) {
            String error =
                    database.error(
                            "MATCH "
                                    + other
                                    + " CALL kgdb.neighbors(elementId(n), {kg: 'g'})"
                                    + " YIELD id RETURN id");
            assertTrue(error.startsWith("kgdb.neighbors: no entity '"), error);
        }
        assertEquals(
                "kgdb.neighbors: no entity '4:x:y' in graph 'g'; nodes takes ids (property id), not"
                        + " names: kgdb.entities.link"
                        + " finds the ids of a name",
                database.error("CALL kgdb.neighbors('4:x:y', {kg: 'g'})"));
    }
}
