package io.github.kgdb.procedure;

import org.neo4j.kernel.internal.Version;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Procedure;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.stream.Stream;

public final class VersionProcedure {
    private static final String BUILD_PROPERTIES = "build.properties";

    @Procedure(name = "kgdb.version", mode = Mode.READ)
    @Description("The versions of the kgdb plugin and of the Neo4j server.")
    public Stream<VersionRow> version() {
        return Stream.of(new VersionRow(pluginVersion(), Version.getNeo4jVersion()));
    }

    /** Written by the build, so that the version stands in one place only. */
    private static String pluginVersion() {
        Properties properties = new Properties();
        try (InputStream stream = VersionProcedure.class.getResourceAsStream(BUILD_PROPERTIES)) {
            properties.load(stream);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return properties.getProperty("version");
    }

    public static final class VersionRow {
        @Description("The version of the plugin.")
        public final String version;

        @Description("The version of the server.")
        public final String neo4j;

        VersionRow(String version, String neo4j) {
            this.version = version;
            this.neo4j = neo4j;
        }
    }
}
