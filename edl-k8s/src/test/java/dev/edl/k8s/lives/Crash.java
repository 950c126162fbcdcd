package dev.edl.k8s.lives;

/** Thrown to end a driver's process in the middle of a request. */
final class Crash extends Error {
    private static final long serialVersionUID = 1;

    Crash() {
        super("the driver's process ended", null, false, false);
    }
}
