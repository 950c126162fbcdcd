package dev.edl.k8s;

import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waits for an object by polling. The mock server loses changes between a list and its watch, so the client's own waits
 * may miss them.
 */
public final class Polled {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Pause between two polls; otherwise polling would starve the mock server and the awaited threads. */
    private static final Duration PAUSE = Duration.ofMillis(2);

    private Polled() {}

    private static void pause() {
        LockSupport.parkNanos(PAUSE.toNanos());
    }

    /** Returns the object once it matches. */
    public static <T> T until(Resource<T> object, Predicate<T> expected) {
        return until(object, expected, Duration.ofDays(1), () -> {});
    }

    /** Returns the object once it matches; until then runs an action at each interval. */
    public static <T> T until(Resource<T> object, Predicate<T> expected, Duration interval, Runnable action) {
        long begin = System.nanoTime();
        long next = begin + interval.toNanos();
        @Nullable T there;
        do {
            there = object.get();
            if (there != null && expected.test(there)) {
                return there;
            }
            if (System.nanoTime() > next) {
                next += interval.toNanos();
                action.run();
            }
            pause();
        } while (System.nanoTime() - begin < LIMIT.toNanos());
        throw new AssertionError("not as expected within " + LIMIT + ": " + there);
    }

    /** Waits until a condition holds. */
    public static void until(String what, BooleanSupplier holds) {
        long begin = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - begin > LIMIT.toNanos()) {
                throw new AssertionError("not within " + LIMIT + ": " + what);
            }
            pause();
        }
    }

    /** Waits until the object is gone. */
    public static void gone(Resource<?> object) {
        long begin = System.nanoTime();
        while (object.get() != null) {
            if (System.nanoTime() - begin > LIMIT.toNanos()) {
                throw new AssertionError("still there after " + LIMIT + ": " + object.get());
            }
            pause();
        }
    }
}
