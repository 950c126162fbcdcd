package dev.edl.exec;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Counts the failures in a row of each request to a substrate. */
final class Faults {
    /** A request that was not made again for this long after its pause is no longer wanted by anybody. */
    private static final Duration OLD = Duration.ofSeconds(10);

    private static final Duration UNKEPT = Duration.ofSeconds(1);

    private final Patience patience;
    private final Map<String, Fault> faults = new HashMap<>();
    private String message = "";

    private record Fault(int times, Instant last) {}

    Faults(Patience patience) {
        this.patience = patience;
    }

    void succeeded(String request) {
        faults.remove(request);
    }

    /** How often the request has failed in a row, this time included. */
    int failed(String request, String what, RuntimeException cause, Instant now) {
        Fault before = faults.get(request);
        int times = before == null ? 1 : before.times() + 1;
        faults.put(request, new Fault(times, now));
        if (times >= patience.tries()) {
            message = what + ", " + times + " times in a row: " + cause;
        }
        return times;
    }

    void forgetOld(Instant now) {
        faults.values()
                .removeIf(fault -> fault.last().plus(pause(fault)).plus(OLD).isBefore(now));
    }

    /** Whether some request has failed too often. */
    boolean exhausted() {
        return !message.isEmpty();
    }

    /** What failed too often, and its last cause. */
    String message() {
        return message;
    }

    void forget() {
        faults.clear();
        message = "";
    }

    /**
     * How long to leave the substrate alone, by the request that is to be left alone longest; empty when none is. What failed in
     * this pass is tried again in any case, at once where its pause is over already.
     *
     * @param began when the pass did
     */
    Optional<Duration> pause(Instant now, Instant began) {
        return faults.values().stream()
                .filter(fault -> !fault.last().isBefore(began)
                        || fault.last().plus(pause(fault)).isAfter(now))
                .map(fault -> Duration.between(now, fault.last().plus(pause(fault))))
                .map(left -> left.isNegative() ? Duration.ZERO : left)
                .max(Duration::compareTo);
    }

    /** How long until that a job has ended is tried to be kept anew, after it could not be as often as is borne. */
    Duration unkept() {
        Duration pause = patience.backoff().delay(patience.tries());
        return pause.compareTo(UNKEPT) > 0 ? pause : UNKEPT;
    }

    private Duration pause(Fault fault) {
        return patience.backoff().delay(fault.times() - 1);
    }
}
