package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;
import io.github.kgdb.procedure.call.ConfigKey;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;

class HelpProcedureTest {
    @AutoClose private static final TestDatabase database = TestDatabase.with();

    @Test
    void everyProcedureWithItsDescription() {
        assertEquals(
                database.rows(
                        "SHOW PROCEDURES YIELD name, description WHERE name STARTS WITH 'kgdb.'"
                                + " RETURN name AS procedure, description ORDER BY name"),
                database.rows(
                        "CALL kgdb.help() YIELD procedure, description RETURN procedure,"
                                + " description ORDER BY procedure"));
    }

    @Test
    void nullIsAllProcedures() {
        assertEquals(database.rows("CALL kgdb.help()"), database.rows("CALL kgdb.help(null)"));
    }

    @Test
    void theKeysOfOneProcedure() {
        assertEquals(
                Catalog.keys("kgdb.neighbors").stream().map(ConfigKey::name).toList(),
                database.column("CALL kgdb.help('kgdb.neighbors') YIELD key"));
    }

    @Test
    void whatAKeyIs() {
        assertEquals(
                List.of(
                        Map.of(
                                "procedure", "kgdb.paths.all",
                                "key", "maxHops",
                                "type", "INTEGER ≥ 1, ≤ 10",
                                "fallback", "3",
                                "description", "maximum length of a path in hops")),
                database.rows(
                        "CALL kgdb.help('kgdb.paths.all') YIELD procedure, key, type, fallback,"
                                + " description WITH * WHERE key = 'maxHops' RETURN *"));
    }

    @Test
    void theDefaultsThatAreTaughtAreTheDefaultsThatHold() {
        for (Method procedure : Catalog.procedures()) {
            for (ConfigKey<?> key : Catalog.keys(Catalog.name(procedure))) {
                Object taught = database.column("RETURN " + key.fallback()).get(0);
                Object absent = key.read(null);
                // An absent direction may stay null, so that '^' can be used without it.
                if (!(taught instanceof String) || absent != null) {
                    assertEquals(
                            taught == null ? null : key.read(taught),
                            absent,
                            () -> Catalog.name(procedure) + " " + key.name());
                }
            }
        }
    }

    @Test
    void aProcedureWithoutConfigHasNoKeys() {
        assertEquals(List.of(), database.rows("CALL kgdb.help('kgdb.version')"));
    }

    @Test
    void anUnknownProcedure() {
        assertEquals(
                "kgdb.help: no procedure 'kgdb.neighbours' (did you mean 'kgdb.neighbors'?)",
                database.error("CALL kgdb.help('kgdb.neighbours')"));
    }
}
