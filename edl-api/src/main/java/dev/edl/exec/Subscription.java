package dev.edl.exec;

/** Registration of a listener, which lasts until it is closed; a second close does nothing. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
    /** Removes the listener. */
    @Override
    void close();

    /**
     * Returns a subscription that runs {@code end} when closed.
     *
     * @param text returned by {@code toString}, for example {@code a listener of the job's events}
     * @param end removes the listener; a second call must do nothing
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
