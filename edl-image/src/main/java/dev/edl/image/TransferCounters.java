package dev.edl.image;

import java.util.function.Consumer;

/** Counts what a transfer has done, over all its connections. */
final class TransferCounters {
    private final Consumer<ClaimTransfer> progress;
    private ClaimTransfer state = new ClaimTransfer(0, 0, 0, 0, 0, 0);

    TransferCounters(Consumer<ClaimTransfer> progress) {
        this.progress = progress;
    }

    ClaimTransfer state() {
        return state;
    }

    /** Begins a connection, which visits all files again. */
    void begin(long files, long bytes) {
        report(new ClaimTransfer(files, bytes, 0, 0, state.sentFiles(), state.sentBytes()));
    }

    void bytes(long sent) {
        report(new ClaimTransfer(
                state.files(),
                state.bytes(),
                state.doneFiles(),
                state.doneBytes(),
                state.sentFiles(),
                state.sentBytes() + sent));
    }

    void file(long length, boolean sent) {
        report(new ClaimTransfer(
                state.files(),
                state.bytes(),
                state.doneFiles() + 1,
                state.doneBytes() + length,
                state.sentFiles() + (sent ? 1 : 0),
                state.sentBytes()));
    }

    private void report(ClaimTransfer next) {
        state = next;
        progress.accept(next);
    }
}
