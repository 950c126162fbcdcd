package dev.edl.runtime.wire.frames;

/** A ticker of a test, which ticks when it is told to. */
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
