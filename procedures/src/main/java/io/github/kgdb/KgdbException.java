package io.github.kgdb;

import org.neo4j.kernel.api.exceptions.Status;

/**
 * A caller's mistake, or a limit that the caller set. It has a status, so Bolt clients receive that
 * code and exactly this message, not wrapped in "Failed to invoke procedure …".
 */
public final class KgdbException extends RuntimeException implements Status.HasStatus {
    private static final long serialVersionUID = 1L;

    private final Status status;

    private KgdbException(Status status, String message, Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    /** An unusable argument or config value. */
    public static KgdbException usage(String message) {
        return new KgdbException(Status.Procedure.ProcedureCallFailed, message, null);
    }

    /** The call exceeded the caller's time limit. */
    public static KgdbException timedOut(String message) {
        return new KgdbException(Status.Procedure.ProcedureTimedOut, message, null);
    }

    /** The call needs more memory than the server's heap has. */
    public static KgdbException outOfMemory(OutOfMemoryError cause) {
        return new KgdbException(
                Status.General.MemoryPoolOutOfMemoryError,
                "the server's heap is full; make the call smaller: fewer nodes or lower limits, or"
                        + " give the server a larger heap",
                cause);
    }

    /** The same error, with the name of the procedure at the beginning of its message. */
    public KgdbException in(String procedure) {
        return new KgdbException(status, procedure + ": " + getMessage(), this);
    }

    @Override
    public Status status() {
        return status;
    }
}
