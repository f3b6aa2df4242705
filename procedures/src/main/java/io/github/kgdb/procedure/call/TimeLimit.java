package io.github.kgdb.procedure.call;

import io.github.kgdb.KgdbException;
import io.github.kgdb.kernel.api.Termination;

import org.neo4j.procedure.TerminationGuard;

import java.util.concurrent.TimeUnit;

/** Ends a call if its transaction is terminated or its own time limit has passed. */
public final class TimeLimit implements Termination {
    private final TerminationGuard guard;
    private final long milliseconds;
    private final long begin = System.nanoTime();

    /**
     * @param milliseconds {@link Long#MAX_VALUE} for no limit
     */
    public TimeLimit(TerminationGuard guard, long milliseconds) {
        this.guard = guard;
        this.milliseconds = milliseconds;
    }

    @Override
    public void check() {
        guard.check();
        if (milliseconds != Long.MAX_VALUE
                && TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) >= milliseconds) {
            throw KgdbException.timedOut(
                    "stopped after "
                            + milliseconds
                            + " ms (timeoutMs); raise timeoutMs, or make the call smaller: fewer"
                            + " nodes or lower limits");
        }
    }
}
