package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class VersionProcedureTest {
    @AutoClose private static final TestDatabase database = TestDatabase.with();

    @Test
    void theVersionsOfTheBuildAndOfTheServer() {
        Object neo4j =
                database.column(
                                "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j"
                                        + " Kernel' RETURN versions[0]")
                        .get(0);
        assertEquals(
                List.of(Map.of("version", System.getProperty("kgdb.version"), "neo4j", neo4j)),
                database.rows("CALL kgdb.version()"));
    }
}
