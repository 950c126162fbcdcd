package dev.edl.runtime;

/** The master that was called has left; the caller goes on with the next one. Never seen by users. */
final class MasterGone extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MasterGone() {
        super("the master has left", null, false, false);
    }
}
