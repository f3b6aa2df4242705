package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class VersionProcedureTest {
    private static TestDatabase database;

    @BeforeAll
    static void start() {
        database = TestDatabase.with();
    }

    @AfterAll
    static void stop() {
        database.close();
    }

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

    @Test
    void everyProcedureAndParameterIsDescribed() {
        assertEquals(
                List.of("kgdb.follow", "kgdb.neighbors", "kgdb.relations.around", "kgdb.version"),
                database.column(
                        "SHOW PROCEDURES YIELD name, description, mode, argumentDescription WHERE"
                            + " name STARTS WITH 'kgdb.' AND size(description) > 40 AND mode ="
                            + " 'READ' AND all(argument IN argumentDescription WHERE"
                            + " argument.description <> argument.name AND NOT argument.description"
                            + " STARTS WITH argument.name + ' ::') RETURN name ORDER BY name"));
    }
}
