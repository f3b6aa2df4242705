package io.github.kgdb.graph.sandbox;

import io.github.kgdb.kernel.api.Termination;

import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.kernel.impl.coreapi.InternalTransaction;
import org.neo4j.memory.LimitedMemoryTracker;
import org.neo4j.memory.LocalMemoryTracker;
import org.neo4j.memory.MemoryTracker;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A transaction of a procedure's own, for what must not touch the caller's: it is always rolled
 * back, a statement that fails in it does the caller's no harm, and it ends with the caller's or
 * when its time is up, whichever comes first.
 *
 * <p>By itself the server tells an inner transaction neither that its caller has ended nor, for up
 * to two seconds, that its own time is up. So a thread watches both while this is open.
 */
public final class InnerTransaction implements AutoCloseable {
    private static final int WATCH_EVERY_MS = 20;

    private final InternalTransaction transaction;
    private final Termination caller;
    private final long milliseconds;
    private final long begin = System.nanoTime();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean outOfTime;
    private volatile boolean ended;
    private LimitedMemoryTracker memory;

    private InnerTransaction(
            InternalTransaction transaction, Termination caller, long milliseconds) {
        this.transaction = transaction;
        this.caller = caller;
        this.milliseconds = milliseconds;
    }

    /**
     * @param caller throws where the caller's transaction has ended; asked from another thread
     */
    public static InnerTransaction begin(
            GraphDatabaseService database, Termination caller, long milliseconds) {
        InnerTransaction inner =
                new InnerTransaction(
                        (InternalTransaction) database.beginTx(milliseconds, TimeUnit.MILLISECONDS),
                        caller,
                        milliseconds);
        Thread watch = new Thread(inner::watch, "kgdb-inner-transaction");
        watch.setDaemon(true);
        watch.start();
        return inner;
    }

    public InternalTransaction transaction() {
        return transaction;
    }

    /**
     * What runs in it fails as soon as it holds more than so many bytes of heap; the server's own
     * limits hold as well.
     */
    public void limitMemory(long bytes) {
        if (transaction.kernelTransaction().memoryTracker() instanceof LimitedMemoryTracker used) {
            memory = used;
            memory.setLimit(bytes);
        }
    }

    /** What the statements in it hold, in bytes. */
    public MemoryTracker memory() {
        return transaction.kernelTransaction().memoryTracker();
    }

    /** Whether its time is up. */
    public boolean isOutOfTime() {
        outOfTime |= TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) >= milliseconds;
        return outOfTime;
    }

    /** Fails when the transaction has ended, or has to; for the thread that runs in it. */
    public void check() {
        if (ended || isOutOfTime()) {
            throw new IllegalStateException("the transaction has ended");
        }
    }

    @Override
    public void close() {
        closed.countDown();
        synchronized (transaction) {
            if (memory != null) {
                // The server gives it to the next transaction as it is.
                memory.setLimit(LocalMemoryTracker.NO_LIMIT);
            }
            transaction.close();
        }
    }

    private void watch() {
        try {
            while (!closed.await(WATCH_EVERY_MS, TimeUnit.MILLISECONDS)) {
                if (isOutOfTime() || hasCallerEnded()) {
                    terminate();
                    return;
                }
            }
        } catch (InterruptedException unwatched) {
            terminate();
        }
    }

    /** Never after its end: the server gives what it is made of to the next transaction. */
    private void terminate() {
        ended = true;
        synchronized (transaction) {
            if (closed.getCount() > 0) {
                transaction.terminate();
            }
        }
    }

    private boolean hasCallerEnded() {
        try {
            caller.check();
            return false;
        } catch (RuntimeException ended) {
            return true;
        }
    }
}
