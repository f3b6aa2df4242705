package io.github.kgdb.procedure;

import io.github.kgdb.CypherValues;
import io.github.kgdb.KgdbException;
import io.github.kgdb.Suggestions;
import io.github.kgdb.procedure.call.ConfigKey;

import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;

public final class HelpProcedure {
    @Procedure(name = "kgdb.help", mode = Mode.READ)
    @Description(
            "Lists all procedures with their descriptions, or the config keys of one procedure.")
    public Stream<HelpRow> help(
            @Name(
                            value = "procedure",
                            defaultValue = "",
                            description = "The name of a procedure; '' lists all procedures.")
                    String procedure) {
        List<Method> all = Catalog.procedures();
        if (procedure == null || procedure.isEmpty()) {
            return all.stream().map(HelpRow::new);
        }
        if (all.stream().map(Catalog::name).noneMatch(procedure::equals)) {
            throw KgdbException.usage(
                            "no procedure "
                                    + CypherValues.quote(procedure)
                                    + Suggestions.didYouMean(
                                            procedure, all.stream().map(Catalog::name)))
                    .in("kgdb.help");
        }
        return Catalog.keys(procedure).stream().map(key -> new HelpRow(procedure, key));
    }

    public static final class HelpRow {
        @Description("The name of the procedure.")
        public String procedure;

        @Description("A key of its config, or null.")
        public String key;

        @Description("The type and range of the key's value.")
        public String type;

        @Description("The default value, as a Cypher literal.")
        public String fallback;

        @Description("What the procedure does, or what the key means.")
        public String description;

        HelpRow(Method procedure) {
            this.procedure = Catalog.name(procedure);
            this.description = procedure.getAnnotation(Description.class).value();
        }

        HelpRow(String procedure, ConfigKey<?> key) {
            this.procedure = procedure;
            this.key = key.name();
            this.type = key.type();
            this.fallback = key.fallback();
            this.description = key.description();
        }
    }
}
