package dev.edl.runtime.wire.frames;

import dev.edl.runtime.ps.PushResult.Outcome;

/** Wire codes of push outcomes. */
final class OutcomeCode {
    private OutcomeCode() {}

    static long of(Outcome outcome) {
        return switch (outcome) {
            case DUPLICATE -> 1;
            case APPLIED -> 2;
            case ACCUMULATED -> 3;
            case STALE -> 4;
        };
    }

    static Outcome outcome(FrameInput result) throws FrameException {
        long code = result.b();
        if (code < 1 || code > 4) {
            throw result.refused("the outcome of a push must be from 1 to 4, was " + code);
        }
        return switch ((int) code) {
            case 1 -> Outcome.DUPLICATE;
            case 2 -> Outcome.APPLIED;
            case 3 -> Outcome.ACCUMULATED;
            default -> Outcome.STALE;
        };
    }
}
