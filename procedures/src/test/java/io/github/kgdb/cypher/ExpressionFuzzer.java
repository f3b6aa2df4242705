package io.github.kgdb.cypher;

import io.github.kgdb.TestDatabase;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * Runs random queries through kgdb.cypher.read beside another client, and reports those that exceed
 * their time or do not end with a row. {@code make fuzz-expressions} runs it.
 *
 * <p>Arguments: processor seconds to run for, and the first seed.
 */
final class ExpressionFuzzer {
    static final String[] GRAPH = {
        "UNWIND range(1, 20000) AS i CREATE (:N {i: i, name: 'node ' + i})",
        "MATCH (hub:N {i: 1}), (leaf:N) WHERE leaf.i > 1 CREATE (hub)-[:R]->(leaf)",
        "CREATE INDEX FOR (n:N) ON (n.i)",
        "CALL db.awaitIndexes()",
        // A megabyte each: a text, a periodic text, digits, and a list.
        "UNWIND range(1, 20) AS i WITH i, reduce(t = 'lorem ab', i IN range(1, 17) | t + t) AS t,"
            + " reduce(p = 'a', i IN range(1, 20) | p + p) AS p, reduce(d = '1', i IN range(1, 20)"
            + " | d + d) AS d CREATE (:Big {i: i, t: t, p: p, d: d, l: range(1, 130000)})"
    };

    private static final int MAX_LENGTH = 15_000;
    private static final long TIMEOUT_MS = 300;
    private static final long LATE_MS = 1000;

    private final TestDatabase database;
    private final Map<String, Integer> statuses = new TreeMap<>();
    private final List<String> faults = new ArrayList<>();
    private long latest;

    private ExpressionFuzzer(TestDatabase database) {
        this.database = database;
    }

    public static void main(String[] arguments) throws InterruptedException {
        long seconds = Long.parseLong(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        try (TestDatabase database = TestDatabase.with(GRAPH)) {
            new ExpressionFuzzer(database).run(seconds, seed);
        }
        System.exit(0);
    }

    private void run(long seconds, long firstSeed) throws InterruptedException {
        bystander(5, () -> false);
        List<Long> atRest = bystander(10, () -> false);
        AtomicBoolean done = new AtomicBoolean();
        List<Long> beside = new ArrayList<>();
        Thread other = new Thread(() -> beside.addAll(bystander(Long.MAX_VALUE >> 32, done::get)));
        other.start();
        long begin = processorSeconds();
        long seed = firstSeed;
        while (processorSeconds() - begin < seconds) {
            ask(seed++);
        }
        done.set(true);
        other.join();
        System.out.printf("queries: %d, statuses: %s%n", seed - firstSeed, statuses);
        System.out.printf(
                "latest end: %d ms after its limit of %d ms%n", latest - TIMEOUT_MS, TIMEOUT_MS);
        System.out.printf(
                "bystander: p50 %s, p99 %s ms at rest; p50 %s, p99 %s ms beside (%d and %d"
                        + " calls)%n",
                share(atRest, 0.5),
                share(atRest, 0.99),
                share(beside, 0.5),
                share(beside, 0.99),
                atRest.size(),
                beside.size());
        System.out.printf("faults: %d%n%s%n", faults.size(), String.join("\n", faults));
    }

    private void ask(long seed) {
        String query = RandomQuery.of(seed, MAX_LENGTH);
        long begin = System.nanoTime();
        String status;
        try {
            Map<String, Object> row =
                    database.rows(
                                    "CALL kgdb.cypher.read($script, {timeoutMs: $timeoutMs})",
                                    Map.of("script", query, "timeoutMs", TIMEOUT_MS))
                            .get(0);
            status = (String) row.get("status");
            if (String.valueOf(row.get("message")).contains("under guard")) {
                faults.add("seed " + seed + " cannot be guarded: " + beginning(query));
            }
        } catch (RuntimeException | Error failure) {
            status = "exception";
            faults.add("seed " + seed + " " + failure + ": " + beginning(query));
        }
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        latest = Math.max(latest, took);
        statuses.merge(status, 1, Integer::sum);
        if (took > TIMEOUT_MS + LATE_MS) {
            faults.add("seed " + seed + " took " + took + " ms: " + beginning(query));
        }
    }

    /** Another client's look-ups, one after another: the time of each, in microseconds. */
    private List<Long> bystander(long seconds, java.util.function.BooleanSupplier done) {
        List<Long> took = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < end && !done.getAsBoolean()) {
            long begin = System.nanoTime();
            database.rows(
                    "MATCH (n:N {i: $i})--(m) RETURN m.name LIMIT 1",
                    Map.of("i", 2L + took.size() % 1000));
            took.add(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begin));
            sleep();
        }
        return took;
    }

    private static void sleep() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static String share(List<Long> microseconds, double share) {
        List<Long> sorted = microseconds.stream().sorted().collect(Collectors.toList());
        return String.format("%.2f", sorted.get((int) (share * (sorted.size() - 1))) / 1000.0);
    }

    private static String beginning(String query) {
        return query.substring(0, Math.min(300, query.length()));
    }

    private static long processorSeconds() {
        var system =
                (com.sun.management.OperatingSystemMXBean)
                        ManagementFactory.getOperatingSystemMXBean();
        return TimeUnit.NANOSECONDS.toSeconds(system.getProcessCpuTime());
    }
}
