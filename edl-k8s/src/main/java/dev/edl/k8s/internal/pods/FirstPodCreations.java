package dev.edl.k8s.internal.pods;

import dev.edl.k8s.client.ApiFailures;
import dev.edl.plan.JobPlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * API server's answers to the creation of each role's first pod, so that {@code submit} throws for an invalid spec.
 * Thread-safe.
 */
public final class FirstPodCreations {
    /** Interval in milliseconds of checks whether a wait is over. */
    private static final long LOOK = 50;

    private final Set<RoleType> unanswered = EnumSet.noneOf(RoleType.class);
    private @Nullable KubernetesClientException invalid;

    /** Expects answers for all roles except those whose pods are created only after others run. */
    FirstPodCreations(JobPlan plan) {
        plan.roles().stream()
                .filter(role ->
                        role.replicas() > 0 && plan.startsAfter(role.type()).isEmpty())
                .forEach(role -> unanswered.add(role.type()));
    }

    /** Records that a pod of a role was created. */
    synchronized void created(RoleType role) {
        answered(role);
    }

    /** Records that the creation of a pod of a role failed. */
    synchronized void failed(RoleType role, KubernetesClientException failure) {
        if (unanswered.contains(role) && ApiFailures.isInvalid(failure)) {
            invalid = failure;
        }
        answered(role);
    }

    private void answered(RoleType role) {
        if (unanswered.remove(role)) {
            notifyAll();
        }
    }

    /**
     * Waits until each role has an answer, and returns the rejection of an invalid pod.
     *
     * @param limit longest wait; later answers are failures of the running job
     * @param lost whether the loop that creates the pods is lost, so that no answer comes
     */
    public synchronized Optional<KubernetesClientException> await(Duration limit, BooleanSupplier lost) {
        long end = System.nanoTime() + limit.toNanos();
        try {
            for (long left = limit.toMillis(); invalid == null && !unanswered.isEmpty() && left > 0; ) {
                if (lost.getAsBoolean()) {
                    break;
                }
                wait(Math.min(left, LOOK));
                left = Duration.ofNanos(end - System.nanoTime()).toMillis();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Optional.ofNullable(invalid);
    }
}
