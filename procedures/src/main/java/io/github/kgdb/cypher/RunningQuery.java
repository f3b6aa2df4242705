package io.github.kgdb.cypher;

import io.github.kgdb.kernel.api.Termination;

import org.neo4j.memory.MemoryTracker;
import org.neo4j.values.AnyValue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The limits of the query that runs in this thread, held from inside its expressions by the
 * functions of {@link GuardFunction}.
 *
 * <p>A place of the query holds at most one value that nobody else counts: the latest that it made.
 * Earlier ones are garbage, or in rows that the server counts, or items of a list that another
 * place is making. So the sum of the latest values of all places and of the lists being made bounds
 * what the expressions hold. It is counted together with what the server counts for the query.
 */
public final class RunningQuery implements AutoCloseable {
    /**
     * The server cannot be stopped while it compares, copies or searches; one text or list is kept
     * so small that it takes a tenth of a second. In steps of a search for a part in a text.
     */
    static final long MAX_STEPS = 100_000_000;

    /** Of a text that is read as a number or a date, in characters. */
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
     * Until it is closed, guard functions called in this thread hold its limits.
     *
     * @param termination throws when the query must end
     * @param memory counts what expressions hold, in bytes, and refuses too much
     */
    public static RunningQuery begin(Termination termination, MemoryTracker memory) {
        RunningQuery query = new RunningQuery(termination, memory);
        CURRENT.set(query);
        return query;
    }

    /** Fails where no guarded query runs in this thread: nobody else calls guard functions. */
    public static RunningQuery current() {
        RunningQuery query = CURRENT.get();
        if (query == null) {
            throw new IllegalStateException(
                    "the functions " + GuardFunction.PREFIX + "* are for kgdb.cypher.read only");
        }
        return query;
    }

    /** Why a guard function ended the query, or null: what the server makes of it says less. */
    public Refusal refusal() {
        return refusal;
    }

    /** Looks at the clock. */
    public void step() {
        termination.check();
    }

    /** Counts a value that a place has made, in the stead of the one before. */
    public void made(int site, AnyValue value) {
        step();
        reserve(site);
        count(weight(value) - latest[site] - items[site]);
        latest[site] = weight(value);
        items[site] = 0;
    }

    /** Counts an item of the list that a place is making. */
    public void item(int site, AnyValue value) {
        step();
        reserve(site);
        count(weight(value));
        items[site] += weight(value);
    }

    /** Makes sure, before it is made, that a value of so many bytes may be. */
    public void expect(long bytes) {
        step();
        count(bytes);
        memory.releaseHeap(bytes);
    }

    /** Refuses to search a long text for a long one: the server compares them at every place. */
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

    /** Whether all of the text matches; ends when the query must end. */
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

    /** Written out: what is in a value twice weighs twice, since it is gone through twice. */
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
