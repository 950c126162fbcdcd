package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.OptionSyntax;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Gang scheduling of a job: its pods start together or not at all. Immutable.
 *
 * <pre>{@code
 * PodOptions.builder().gang(Gang.volcano("training"));
 * PodOptions.builder().gang(Gang.kubernetes());
 * PodOptions.builder().gang(Gang.coscheduling().timeout(Duration.ofMinutes(10))).scheduler("scheduler-plugins-scheduler");
 * }</pre>
 *
 * <p>By default the gang consists of every replica, but only of the minimum number of an elastic role. A PodGroup of
 * Volcano or of the scheduler plugins also has the sum of these pods' requests ({@code minResources}), so that a
 * scheduler without that capacity does not start to place pods.
 */
public final class Gang {
    enum Kind {
        COSCHEDULING,
        VOLCANO,
        KUBERNETES
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
     * Returns a gang that uses the PodGroup of {@code scheduling.x-k8s.io}, of Kubernetes' scheduler plugins. Set the
     * scheduler's name, which differs between clusters, by {@link PodScope#scheduler}.
     */
    public static Gang coscheduling() {
        return new Gang(Kind.COSCHEDULING, Optional.empty(), OptionalInt.empty(), Optional.empty());
    }

    /**
     * Returns a gang that uses Volcano's PodGroup. Scheduler {@code volcano} schedules the pods unless another one is
     * set.
     *
     * @param queue Volcano's queue, such as {@code default}
     */
    public static Gang volcano(String queue) {
        return new Gang(
                Kind.VOLCANO,
                Optional.of(OptionSyntax.name("a queue", queue, "default")),
                OptionalInt.empty(),
                Optional.empty());
    }

    /**
     * Returns a gang that uses the PodGroup of Kubernetes 1.36 itself, {@code scheduling.k8s.io/v1alpha2}, and its own
     * scheduler. The cluster's feature gates {@code GenericWorkload} and {@code GangScheduling} must be on.
     */
    public static Gang kubernetes() {
        return new Gang(Kind.KUBERNETES, Optional.empty(), OptionalInt.empty(), Optional.empty());
    }

    /**
     * Sets the number of pods that start together. {@code minResources} of the PodGroup then sums the first pods in the
     * plan's role order.
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
     * Sets how long the scheduler waits for all pods before it releases the capacity of the placed ones.
     *
     * @param timeout whole seconds, from 1 to 2147483647
     * @throws IllegalArgumentException when the timeout is another duration, or this gang is not of
     *     {@link #coscheduling}, whose PodGroup alone has a timeout
     */
    public Gang timeout(Duration timeout) {
        if (kind != Kind.COSCHEDULING) {
            throw new IllegalArgumentException(
                    (kind == Kind.VOLCANO ? "Volcano's" : "Kubernetes'") + " PodGroup has no timeout; leave it out");
        }
        if (timeout.getSeconds() < 1 || timeout.getNano() != 0 || timeout.getSeconds() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a gang's timeout must be whole seconds from 1 to " + Integer.MAX_VALUE
                    + ", was " + timeout + "; for example Duration.ofMinutes(10)");
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

    /** Returns, for example, {@code volcano, queue default}. */
    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT)
                + queue.map(q -> ", queue " + q).orElse("")
                + (members.isPresent() ? ", " + members.getAsInt() + " together" : "")
                + timeout.map(t -> ", within " + t).orElse("");
    }
}
