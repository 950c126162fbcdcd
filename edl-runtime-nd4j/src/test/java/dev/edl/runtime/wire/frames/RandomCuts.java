package dev.edl.runtime.wire.frames;

import java.util.SplittableRandom;

/**
 * Breaks connections at random frames: before, within, or after one. Safe for several threads.
 *
 * <p>A call with a bound of 1 ms retries once after the failure of a connection that has delivered no response yet.
 * Therefore no other such connection is broken until some calls are over.
 */
final class RandomCuts {
    private static final int ONE_IN = 6;
    /** More frames than the two shards of a contract exchange in a call, including all handshakes. */
    private static final int CALM = 60;

    private final long seed;
    private final boolean answersOfPushes;
    private int lines;
    private int calm;
    private int done;

    /**
     * Makes seeded cuts.
     *
     * @param answersOfPushes whether the response to a push may be cut, so that its retry is a DUPLICATE
     */
    RandomCuts(long seed, boolean answersOfPushes) {
        this.seed = seed;
        this.answersOfPushes = answersOfPushes;
    }

    synchronized Line line() {
        return new Line(new SplittableRandom(seed * 1_000 + lines++));
    }

    /** Returns the number of broken connections. */
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

        /** Returns the number of bytes of a frame after which the connection breaks; -1 if it does not. */
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
                // A push that arrived completely gets a response.
                return random.nextInt(frame.length + (pushes && !answersOfPushes ? 0 : 1));
            }
        }
    }
}
