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
 * A separate transaction of a procedure, for work that must not touch the caller's. It is always
 * rolled back, a failing statement does not harm the caller's transaction, and it ends with the
 * caller's transaction or at its own time limit, whichever comes first.
 *
 * <p>The server does not tell an inner transaction that its caller has ended, and reports a time
 * limit up to two seconds late. So a thread watches both while this transaction is open.
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
     * @param caller throws if the caller's transaction has ended; called from another thread
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
     * Sets a memory limit. A statement that exceeds it fails; the server's own limits apply too.
     */
    public void limitMemory(long bytes) {
        if (transaction.kernelTransaction().memoryTracker() instanceof LimitedMemoryTracker used) {
            memory = used;
            memory.setLimit(bytes);
        }
    }

    /** The memory that its statements hold. */
    public MemoryTracker memory() {
        return transaction.kernelTransaction().memoryTracker();
    }

    /** Whether its time limit has passed. */
    public boolean isOutOfTime() {
        outOfTime |= TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) >= milliseconds;
        return outOfTime;
    }

    /** Fails if the transaction has ended or has to end. For the thread that runs in it. */
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
                // The server reuses the tracker for the next transaction without resetting the
                // limit.
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

    /** Never after its end: the server reuses its parts for the next transaction. */
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
