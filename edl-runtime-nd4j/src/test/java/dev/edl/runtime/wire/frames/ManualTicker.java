package dev.edl.runtime.wire.frames;

/** A ticker that a test triggers. */
final class ManualTicker implements Ticker {
    private volatile Runnable tick = () -> {};

    @Override
    public void start(Runnable action) {
        tick = action;
    }

    void tick(int times) {
        for (int i = 0; i < times; i++) {
            tick.run();
        }
    }

    @Override
    public void close() {
        tick = () -> {};
    }
}
