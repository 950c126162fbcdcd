package dev.edl.exec;

/** Notifications that go on until this is closed; a second close does nothing. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
    /** Ends the notifications. */
    @Override
    void close();

    /**
     * Returns a subscription that prints as what it is.
     *
     * @param text for example {@code a listener of the job's events}
     * @param end ends the notifications; a second call must do nothing
     */
    static Subscription of(String text, Runnable end) {
        return new Subscription() {
            @Override
            public void close() {
                end.run();
            }

            @Override
            public String toString() {
                return text;
            }
        };
    }
}
