package io.github.kgdb.procedure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.kgdb.TestDatabase;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.util.List;

class CatalogTest {
    @AutoClose private static final TestDatabase database = TestDatabase.with();

    private static List<Object> names() {
        return Catalog.procedures().stream()
                .map(Catalog::name)
                .sorted()
                .map(Object.class::cast)
                .toList();
    }

    @Test
    void everyProcedureAndParameterIsDescribed() {
        assertEquals(
                names(),
                database.column(
                        "SHOW PROCEDURES YIELD name, description, argumentDescription WHERE name"
                            + " STARTS WITH 'kgdb.' AND size(description) > 40 AND all(argument IN"
                            + " argumentDescription WHERE argument.description <> argument.name AND"
                            + " NOT argument.description STARTS WITH argument.name + ' ::') RETURN"
                            + " name ORDER BY name"));
    }

    @Test
    void everyProcedureOnlyReads() {
        assertEquals(
                names(),
                database.column(
                        "SHOW PROCEDURES YIELD name, mode WHERE name STARTS WITH 'kgdb.' AND mode"
                                + " = 'READ' RETURN name ORDER BY name"));
    }

    @Test
    void whatTakesAConfigHasKeys() {
        assertEquals(
                Catalog.procedures().stream()
                        .map(Catalog::name)
                        .filter(name -> !Catalog.keys(name).isEmpty())
                        .sorted()
                        .toList(),
                database.column(
                        "SHOW PROCEDURES YIELD name, argumentDescription WHERE name STARTS WITH"
                            + " 'kgdb.' AND any(a IN argumentDescription WHERE a.name = 'config')"
                            + " RETURN name ORDER BY name"));
    }
}
