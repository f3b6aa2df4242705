package io.github.kgdb;

import org.neo4j.kernel.api.exceptions.Status;

/**
 * What a caller did wrong, or a limit the caller set. Having a status, it reaches Bolt clients with
 * that code and this very message, not wrapped in "Failed to invoke procedure …".
 */
public final class KgdbException extends RuntimeException implements Status.HasStatus {
    private static final long serialVersionUID = 1L;

    private final Status status;

    private KgdbException(Status status, String message, Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    /** An argument or a config value that cannot be used. */
    public static KgdbException usage(String message) {
        return new KgdbException(Status.Procedure.ProcedureCallFailed, message, null);
    }

    /** The time that the caller gave was not enough. */
    public static KgdbException timedOut(String message) {
        return new KgdbException(Status.Procedure.ProcedureTimedOut, message, null);
    }

    /** The server's heap could not hold what the call asked for. */
    public static KgdbException outOfMemory(OutOfMemoryError cause) {
        return new KgdbException(
                Status.General.MemoryPoolOutOfMemoryError,
                "the server's heap is full; make the call smaller: fewer nodes or lower caps, or"
                        + " give the server a larger heap",
                cause);
    }

    /** The same error with the procedure it happened in at the head of its message. */
    public KgdbException in(String procedure) {
        return new KgdbException(status, procedure + ": " + getMessage(), this);
    }

    @Override
    public Status status() {
        return status;
    }
}
