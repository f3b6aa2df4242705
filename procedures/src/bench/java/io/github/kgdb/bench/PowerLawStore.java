package io.github.kgdb.bench;

import io.github.kgdb.procedure.Catalog;

import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.exceptions.KernelException;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.schema.Schema;
import org.neo4j.io.ByteUnit;
import org.neo4j.kernel.api.procedure.GlobalProcedures;
import org.neo4j.kernel.internal.GraphDatabaseAPI;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * An embedded database with a graph of power-law degrees and hubs. It is made at the first use and
 * kept in the build folder.
 */
final class PowerLawStore implements AutoCloseable {
    static final String GRAPH = "bench";
    static final int ENTITIES = 150_000;
    static final int RELATIONSHIPS = 700_000;
    static final int RELATIONS = 1_000;

    /** The entities of the first numbers are the hubs. */
    static final int[] HUBS = {100_000, 60_000, 40_000, 10_000};

    private static final Label LABEL = Label.label("Bench");
    private static final Path FOLDER = Path.of("target", "bench-store");
    private static final Path COMPLETE = FOLDER.resolve("complete");
    private static final int BATCH = 20_000;
    private static final int RELATIONS_OF_HUB = 50;

    private final DatabaseManagementService service;
    private final GraphDatabaseService database;

    private PowerLawStore(DatabaseManagementService service) {
        this.service = service;
        this.database = service.database(GraphDatabaseSettings.DEFAULT_DATABASE_NAME);
    }

    static PowerLawStore open() throws Exception {
        boolean complete = Files.exists(COMPLETE);
        PowerLawStore store =
                new PowerLawStore(
                        new DatabaseManagementServiceBuilder(FOLDER)
                                .setConfig(
                                        GraphDatabaseSettings.pagecache_memory,
                                        ByteUnit.mebiBytes(256))
                                .build());
        store.register();
        if (!complete) {
            store.fill();
            Files.createFile(COMPLETE);
        }
        return store;
    }

    GraphDatabaseService database() {
        return database;
    }

    static String id(int number) {
        return "e" + number;
    }

    @Override
    public void close() {
        service.shutdown();
    }

    private void register() throws KernelException {
        GlobalProcedures procedures =
                ((GraphDatabaseAPI) database)
                        .getDependencyResolver()
                        .resolveDependency(GlobalProcedures.class);
        for (Class<?> each : Catalog.CLASSES) {
            procedures.registerProcedure(each);
        }
    }

    private void fill() {
        try (Transaction transaction = database.beginTx()) {
            Schema schema = transaction.schema();
            schema.constraintFor(LABEL).assertPropertyIsUnique("id").create();
            schema.constraintFor(Label.label("KnowledgeGraph"))
                    .assertPropertyIsUnique("name")
                    .create();
            transaction.commit();
        }
        String[] nodes = addEntities();
        Random random = new Random(7);
        for (int hub = 0; hub < HUBS.length; hub++) {
            int firstRelation = random.nextInt(RELATIONS - RELATIONS_OF_HUB);
            int size = HUBS[hub];
            int at = hub;
            addRelationships(
                    nodes,
                    size,
                    () -> {
                        int other = ordinary(random);
                        boolean into = random.nextInt(10) > 0;
                        return new int[] {
                            into ? other : at,
                            into ? at : other,
                            firstRelation + powerLaw(random, RELATIONS_OF_HUB)
                        };
                    });
        }
        int rest = RELATIONSHIPS;
        for (int size : HUBS) {
            rest -= size;
        }
        addRelationships(
                nodes,
                rest,
                () -> new int[] {ordinary(random), ordinary(random), powerLaw(random, RELATIONS)});
        try (Transaction transaction = database.beginTx()) {
            transaction.schema().awaitIndexesOnline(10, TimeUnit.MINUTES);
        }
    }

    private String[] addEntities() {
        String[] nodes = new String[ENTITIES];
        for (int first = 0; first < ENTITIES; first += BATCH) {
            try (Transaction transaction = database.beginTx()) {
                for (int i = first; i < Math.min(first + BATCH, ENTITIES); i++) {
                    Node node = transaction.createNode(LABEL);
                    node.setProperty("id", id(i));
                    node.setProperty("name", "Entity " + i);
                    nodes[i] = node.getElementId();
                }
                transaction.commit();
            }
        }
        try (Transaction transaction = database.beginTx()) {
            Node graph = transaction.createNode(Label.label("KnowledgeGraph"));
            graph.setProperty("name", GRAPH);
            graph.setProperty("label", LABEL.name());
            transaction.commit();
        }
        return nodes;
    }

    @FunctionalInterface
    private interface Draw {
        /** Head, tail and relation. */
        int[] next();
    }

    private void addRelationships(String[] nodes, int count, Draw draw) {
        for (int first = 0; first < count; first += BATCH) {
            try (Transaction transaction = database.beginTx()) {
                for (int i = first; i < Math.min(first + BATCH, count); i++) {
                    int[] drawn = draw.next();
                    transaction
                            .getNodeByElementId(nodes[drawn[0]])
                            .createRelationshipTo(
                                    transaction.getNodeByElementId(nodes[drawn[1]]),
                                    RelationshipType.withName("relation_" + drawn[2]));
                }
                transaction.commit();
            }
        }
    }

    /** An entity that is no hub, popular ones more often. */
    private static int ordinary(Random random) {
        int others = ENTITIES - HUBS.length;
        return HUBS.length + (int) (others * Math.pow(random.nextDouble(), 2.5));
    }

    /** The first ones more often. */
    private static int powerLaw(Random random, int size) {
        return (int) Math.pow(size, random.nextDouble()) % size;
    }
}
