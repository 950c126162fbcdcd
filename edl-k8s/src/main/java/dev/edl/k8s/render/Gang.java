package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.OptionSyntax;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * That the pods of a job start together or not at all, as a scheduler beside Kubernetes' own does it.
 *
 * <pre>{@code
 * PodOptions.builder().gang(Gang.volcano("training"));
 * PodOptions.builder().gang(Gang.coscheduling().timeout(Duration.ofMinutes(10))).scheduler("scheduler-plugins-scheduler");
 * }</pre>
 *
 * <p>Unless said otherwise as many pods start together as the job can do with: every replica, of an elastic role the
 * least number. The PodGroup says what these ask for in all as well ({@code minResources}), so that a scheduler that lacks the
 * room does not begin to look for it. Immutable.
 */
public final class Gang {
    enum Kind {
        COSCHEDULING,
        VOLCANO
    }

    private final Kind kind;
    private final Optional<String> queue;
    private final OptionalInt members;
    private final Optional<Duration> timeout;

    private Gang(Kind kind, Optional<String> queue, OptionalInt members, Optional<Duration> timeout) {
        this.kind = kind;
        this.queue = queue;
        this.members = members;
        this.timeout = timeout;
    }

    /**
     * The PodGroup of {@code scheduling.x-k8s.io}, Kubernetes' scheduler plugins. The scheduler's own name differs from
     * cluster to cluster: {@link PodScope#scheduler}.
     */
    public static Gang coscheduling() {
        return new Gang(Kind.COSCHEDULING, Optional.empty(), OptionalInt.empty(), Optional.empty());
    }

    /**
     * Volcano's PodGroup; the pods are scheduled by {@code volcano} unless another scheduler is named.
     *
     * @param queue Volcano's queue, {@code default}
     */
    public static Gang volcano(String queue) {
        return new Gang(
                Kind.VOLCANO,
                Optional.of(OptionSyntax.name("a queue", queue, "default")),
                OptionalInt.empty(),
                Optional.empty());
    }

    /**
     * How many pods start together; the PodGroup's {@code minResources} are those of the plan's first roles then.
     *
     * @param members at least 1
     */
    public Gang members(int members) {
        if (members < 1) {
            throw new IllegalArgumentException("a gang must have at least 1 member, was " + members);
        }
        return new Gang(kind, queue, OptionalInt.of(members), timeout);
    }

    /**
     * How long the pods are waited for before the ones that are there give their places back.
     *
     * @param timeout whole seconds, at least 1
     * @throws IllegalArgumentException for another time, or for Volcano, which has none
     */
    public Gang timeout(Duration timeout) {
        if (kind == Kind.VOLCANO) {
            throw new IllegalArgumentException("Volcano's PodGroup has no timeout; leave it out");
        }
        if (timeout.getSeconds() < 1 || timeout.getNano() != 0 || timeout.getSeconds() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "a gang's timeout must be whole seconds, at least 1, was " + timeout + "; for example PT10M");
        }
        return new Gang(kind, queue, members, Optional.of(timeout));
    }

    Kind kind() {
        return kind;
    }

    Optional<String> queue() {
        return queue;
    }

    OptionalInt members() {
        return members;
    }

    Optional<Duration> timeout() {
        return timeout;
    }

    /** For example {@code volcano, queue default}. */
    @Override
    public String toString() {
        return (kind == Kind.VOLCANO ? "volcano" : "coscheduling")
                + queue.map(q -> ", queue " + q).orElse("")
                + (members.isPresent() ? ", " + members.getAsInt() + " together" : "")
                + timeout.map(t -> ", within " + t).orElse("");
    }
}
