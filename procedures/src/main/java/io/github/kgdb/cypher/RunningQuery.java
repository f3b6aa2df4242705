package io.github.kgdb.cypher;

import io.github.kgdb.kernel.api.Termination;

import org.neo4j.memory.MemoryTracker;
import org.neo4j.values.AnyValue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The limits of the query that runs in this thread, applied from inside its expressions by the
 * functions of {@link GuardFunction}.
 *
 * <p>A site in the query holds at most one value that nobody else counts: the latest that it made.
 * Earlier values are garbage, or in rows that the server counts, or items of a list that another
 * site is making. So the latest values of all sites and the lists under construction bound the
 * memory of the expressions. It is added to what the server counts for the query.
 */
public final class RunningQuery implements AutoCloseable {
    /**
     * The server cannot be interrupted while it compares, copies or searches, so one text or list
     * is limited to what takes a tenth of a second. Counted in steps of a substring search.
     */
    static final long MAX_STEPS = 100_000_000;

    /** The maximum characters of a text that is parsed as a number or a date. */
    private static final int MAX_PARSED_LENGTH = 1000;

    private static final ThreadLocal<RunningQuery> CURRENT = new ThreadLocal<>();

    private final Termination termination;
    private final MemoryTracker memory;
    private final Map<String, Pattern> patterns = new HashMap<>();
    private long[] latest = new long[16];
    private long[] items = new long[16];
    private Refusal refusal;

    private RunningQuery(Termination termination, MemoryTracker memory) {
        this.termination = termination;
        this.memory = memory;
    }

    /**
     * Applies its limits to guard functions called in this thread, until it is closed.
     *
     * @param termination throws if the query must end
     * @param memory counts what expressions hold, in bytes, and fails beyond its limit
     */
    public static RunningQuery begin(Termination termination, MemoryTracker memory) {
        RunningQuery query = new RunningQuery(termination, memory);
        CURRENT.set(query);
        return query;
    }

    /** Fails if no guarded query runs in this thread: nobody else may call guard functions. */
    public static RunningQuery current() {
        RunningQuery query = CURRENT.get();
        if (query == null) {
            throw new IllegalStateException(
                    "the functions " + GuardFunction.PREFIX + "* are for kgdb.cypher.read only");
        }
        return query;
    }

    /** Why a guard function ended the query, or null. The server's own error says less. */
    public Refusal refusal() {
        return refusal;
    }

    /** Checks the time limit. */
    public void step() {
        termination.check();
    }

    /** Counts a value that a site has made, in place of its previous one. */
    public void made(int site, AnyValue value) {
        step();
        reserve(site);
        count(weight(value) - latest[site] - items[site]);
        latest[site] = weight(value);
        items[site] = 0;
    }

    /** Counts an item of the list that a site is making. */
    public void item(int site, AnyValue value) {
        step();
        reserve(site);
        count(weight(value));
        items[site] += weight(value);
    }

    /** Checks that a value of that many bytes may be made, before it is made. */
    public void expect(long bytes) {
        step();
        count(bytes);
        memory.releaseHeap(bytes);
    }

    /**
     * Refuses to search a long text for a long one, because the server compares them at every
     * position.
     */
    public void requireSearchable(long length, long partLength) {
        step();
        if (length * Math.max(1, partLength) > MAX_STEPS) {
            throw refuse(
                    ReadStatus.TOO_COMPLEX,
                    "looking for a text of "
                            + partLength
                            + " characters in one of "
                            + length
                            + " could take too long");
        }
    }

    public void requireParsable(long length) {
        step();
        if (length > MAX_PARSED_LENGTH) {
            throw refuse(
                    ReadStatus.RUNTIME,
                    "a text of " + length + " characters is no number and no date");
        }
    }

    /** Whether the whole text matches; stops if the query must end. */
    public boolean matches(String text, String pattern) {
        step();
        return patterns.computeIfAbsent(pattern, Pattern::compile)
                .matcher(new InterruptibleCharSequence(text, termination))
                .matches();
    }

    @Override
    public void close() {
        CURRENT.remove();
        memory.releaseHeap(Arrays.stream(latest).sum() + Arrays.stream(items).sum());
    }

    /**
     * The size when written out: a value that occurs twice counts twice, because it is read twice.
     */
    private static long weight(AnyValue value) {
        return value.estimatedHeapUsage();
    }

    private void reserve(int site) {
        if (site >= latest.length) {
            latest = Arrays.copyOf(latest, 2 * site);
            items = Arrays.copyOf(items, 2 * site);
        }
    }

    private void count(long bytes) {
        if (bytes < 0) {
            memory.releaseHeap(-bytes);
            return;
        }
        try {
            memory.allocateHeap(bytes);
        } catch (RuntimeException tooMuch) {
            refusal = ServerErrors.outOfMemory();
            throw tooMuch;
        }
    }

    private Refusal refuse(ReadStatus status, String message) {
        refusal = new Refusal(status, message, null);
        return refusal;
    }
}
