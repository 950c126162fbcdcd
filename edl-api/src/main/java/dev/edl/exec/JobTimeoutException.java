package dev.edl.exec;

/** A job had not ended when the caller's patience did; the message names the job, its phase and what it waits for. */
public final class JobTimeoutException extends RuntimeException {
    JobTimeoutException(String message) {
        super(message);
    }
}
