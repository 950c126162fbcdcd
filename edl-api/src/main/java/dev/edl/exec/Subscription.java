package dev.edl.exec;

/** Notifications that go on until this is closed; a second close does nothing. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
    /** Ends the notifications. */
    @Override
    void close();
}
