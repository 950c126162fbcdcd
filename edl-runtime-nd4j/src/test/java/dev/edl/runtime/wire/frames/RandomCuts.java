package dev.edl.runtime.wire.frames;

import java.util.SplittableRandom;

/**
 * Cuts connections at random frames: before one, within it, or behind it. Safe for several threads.
 *
 * <p>A call whose patience is a millisecond tries once more after a connection that has answered nothing yet has failed. So no other
 * such connection is cut until some calls are over.
 */
final class RandomCuts {
    private static final int ONE_IN = 6;
    /** More frames than the two shards of a contract exchange in a call, with all greetings. */
    private static final int CALM = 60;

    private final long seed;
    private final boolean answersOfPushes;
    private int lines;
    private int calm;
    private int done;

    /** @param answersOfPushes whether the answer of a push may be cut, which is then a DUPLICATE */
    RandomCuts(long seed, boolean answersOfPushes) {
        this.seed = seed;
        this.answersOfPushes = answersOfPushes;
    }

    synchronized Line line() {
        return new Line(new SplittableRandom(seed * 1_000 + lines++));
    }

    /** Returns how many connections it has cut. */
    synchronized int done() {
        return done;
    }

    /** One connection. */
    final class Line {
        private static final int GREETING = 2;

        private final SplittableRandom random;
        private int sent;
        private boolean pushes;

        private Line(SplittableRandom random) {
            this.random = random;
        }

        /** Returns after how many bytes of a frame the connection is cut; -1 when it is not. */
        int cut(boolean fromWorker, byte[] frame) {
            synchronized (RandomCuts.this) {
                if (fromWorker) {
                    sent++;
                    pushes = frame[6] == FrameKind.PUSH.code();
                }
                boolean fresh = sent <= GREETING + 1;
                calm--;
                boolean spared = (fresh && calm > 0) || (pushes && !fromWorker && !answersOfPushes);
                if (spared || random.nextInt(ONE_IN) > 0) {
                    return -1;
                }
                calm = fresh ? CALM : calm;
                done++;
                // A push that has come whole is answered.
                return random.nextInt(frame.length + (pushes && !answersOfPushes ? 0 : 1));
            }
        }
    }
}
