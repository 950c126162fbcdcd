package dev.edl.k8s.internal.pods;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reason of a pod's phase: an external cause (Evicted, PreemptionByScheduler …), its container's end, what it waits
 * for, or why it is unscheduled. Pure.
 *
 * @param word Kubernetes' own word for the reason, such as {@code Evicted}
 * @param message Kubernetes' message and the fix
 * @param blocks whether the pod cannot start without a fix by a person
 */
record PodReason(String word, Optional<String> message, boolean blocks) {
    /**
     * Maximum length of a message in characters; longer ones are cut, because a job's state has one for each failed
     * replica.
     */
    private static final int LONGEST = 400;

    private static final String OUT_OF_MEMORY = "OOMKilled";

    /** Matches the kubelet's message for a pod that is evicted for its own usage, and not for its node's shortage. */
    private static final Pattern OWN_LIMIT =
            Pattern.compile("exceeds the (total )?limit|exceeded its local ephemeral storage limit");

    /** Kubernetes' reasons for waiting that are normal while a pod starts. */
    private static final Set<String> USUAL = Set.of("ContainerCreating", "PodInitializing");

    /** Returns the reason of a pod; empty when there is none. */
    static Optional<PodReason> of(Pod pod) {
        PodStatus status = pod.getStatus() == null ? new PodStatus() : pod.getStatus();
        boolean leaving = pod.getMetadata().getDeletionTimestamp() != null;
        if (leaving) {
            return Stream.of(whole(status), disruption(status), evicted(status))
                    .flatMap(Optional::stream)
                    .findFirst()
                    .map(reason -> reason.and(held(pod)))
                    .or(() -> held(pod).map(text -> new PodReason("Terminating", Optional.of(text), false)));
        }
        Optional<PodReason> end = end(pod);
        return Stream.of(
                        end.filter(reason -> reason.word.equals(OUT_OF_MEMORY)),
                        whole(status),
                        disruption(status),
                        end,
                        waiting(pod, status),
                        beside(pod, status),
                        condition(status, "PodScheduled", "False").flatMap(c -> unscheduled(pod, c)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /**
     * Returns whether the pod cannot start by itself, even if a registry recovers or a missing object is created: only
     * another spec helps.
     */
    boolean isFinal() {
        return blocks
                && (word.equals("InvalidImageName")
                        || (word.equals("CreateContainerConfigError") && isRoot(message.orElse(""))));
    }

    private static boolean isRoot(String text) {
        return text.contains("runAsNonRoot") || text.contains("non-numeric user");
    }

    /** Returns the reason of the pod as a whole: Evicted, DeadlineExceeded, NodeShutdown, UnexpectedAdmissionError. */
    private static Optional<PodReason> whole(PodStatus status) {
        return of(status.getReason(), status.getMessage());
    }

    /**
     * Returns whether the cluster caused the pod's failure: its node was low on memory or disk, or shut down. A pod
     * that exceeded its own limit of memory or disk has failed by itself.
     */
    static boolean disrupted(Pod pod) {
        PodStatus status = pod.getStatus();
        return status != null
                && condition(status, "DisruptionTarget", "True")
                        .filter(c -> !OWN_LIMIT
                                .matcher(c.getMessage() + " " + status.getMessage())
                                .find())
                        .isPresent()
                && end(pod).filter(reason -> reason.word.equals(OUT_OF_MEMORY)).isEmpty();
    }

    /** Returns whether the cluster ended the pod as a whole; its container's exit code is then that of the signal. */
    static boolean interrupted(Pod pod) {
        PodStatus status = pod.getStatus();
        return status != null
                && "Failed".equals(status.getPhase())
                && (whole(status).isPresent() || disruption(status).isPresent());
    }

    private static Optional<PodReason> disruption(PodStatus status) {
        return condition(status, "DisruptionTarget", "True").flatMap(c -> of(c.getReason(), c.getMessage()));
    }

    /** Returns why Kueue deletes a pod; empty when it does not. */
    private static Optional<PodReason> evicted(PodStatus status) {
        return condition(status, "TerminationTarget", "True").flatMap(c -> of(c.getReason(), c.getMessage()));
    }

    private static Optional<PodReason> end(Pod pod) {
        return MainContainer.state(pod)
                .map(ContainerState::getTerminated)
                .filter(end -> !Objects.equals(end.getReason(), "Completed"))
                .flatMap(
                        end -> of(end.getReason(), last(end.getMessage())).map(reason -> reason.and(advice(pod, end))));
    }

    private static Optional<String> advice(Pod pod, ContainerStateTerminated end) {
        if (OUT_OF_MEMORY.equals(end.getReason())) {
            return Optional.of("it ran out of memory" + memory(pod) + "; raise the role's memory");
        }
        return "StartError".equals(end.getReason())
                ? Optional.of("the role's command is not in its image")
                : Optional.empty();
    }

    private static String memory(Pod pod) {
        Container main = MainContainer.of(pod);
        Quantity limit = main.getResources() == null || main.getResources().getLimits() == null
                ? null
                : main.getResources().getLimits().get("memory");
        return limit == null ? "" : " at its limit of " + limit;
    }

    /**
     * Returns the reason for a pod's wait: the reason of any container that does not start, since it keeps the pod from
     * starting.
     */
    private static Optional<PodReason> waiting(Pod pod, PodStatus status) {
        String main = MainContainer.name(pod);
        return Stream.concat(
                        PodMapper.list(status.getContainerStatuses()).stream(),
                        PodMapper.list(status.getInitContainerStatuses()).stream())
                .flatMap(container -> waiting(pod, container, main).stream())
                .findFirst();
    }

    /** Returns the container that failed a pod before its main container started, for example an init container. */
    private static Optional<PodReason> beside(Pod pod, PodStatus status) {
        if (!"Failed".equals(status.getPhase())
                || MainContainer.state(pod).map(ContainerState::getTerminated).isPresent()) {
            return Optional.empty();
        }
        return Stream.concat(
                        PodMapper.list(status.getInitContainerStatuses()).stream(),
                        PodMapper.list(status.getContainerStatuses()).stream())
                .flatMap(container -> beside(container).stream())
                .findFirst();
    }

    private static Optional<PodReason> beside(ContainerStatus container) {
        return Optional.ofNullable(container.getState())
                .map(ContainerState::getTerminated)
                .filter(end -> end.getExitCode() != 0)
                .flatMap(end -> of(end.getReason(), last(end.getMessage()))
                        .map(reason -> reason.and(Optional.of("container " + container.getName()
                                + " ended with exit code " + end.getExitCode() + " before the main container"
                                + " started"))));
    }

    private static Optional<PodReason> waiting(Pod pod, ContainerStatus container, String main) {
        ContainerStateWaiting waits =
                container.getState() == null ? null : container.getState().getWaiting();
        if (waits == null || waits.getReason() == null || USUAL.contains(waits.getReason())) {
            return Optional.empty();
        }
        Optional<String> which =
                container.getName().equals(main) ? Optional.empty() : Optional.of("container " + container.getName());
        return of(waits.getReason(), waits.getMessage())
                .map(reason ->
                        reason.and(which).and(advice(pod, waits.getReason(), String.valueOf(waits.getMessage()))))
                .map(reason -> new PodReason(reason.word, reason.message, true));
    }

    private static Optional<String> advice(Pod pod, String reason, String text) {
        return Optional.ofNullable(
                switch (reason) {
                    case "ErrImageNeverPull" ->
                        "load the image on " + node(pod) + ", or have it pulled with imagePullPolicy(\"IfNotPresent\")";
                    case "ErrImagePull", "ImagePullBackOff" ->
                        "check the image's name and tag, and whether its registry needs an imagePullSecret";
                    case "InvalidImageName" -> "a valid image name is registry.example/team/name:tag";
                    case "CreateContainerConfigError" ->
                        isRoot(text)
                                ? "set PodOptions.runAsUser(1000), or build the image with a numeric user other than 0"
                                : "create the missing object in namespace "
                                        + pod.getMetadata().getNamespace() + "; the replica then starts by itself";
                    default -> null;
                });
    }

    private static Optional<PodReason> unscheduled(Pod pod, PodCondition condition) {
        if (KueueSchedulingGate.gated(pod)) {
            return of(condition.getReason(), KueueSchedulingGate.queue(pod));
        }
        return of(condition.getReason(), condition.getMessage())
                .map(reason -> reason.word.equals("Unschedulable")
                        ? reason.and(Optional.of(
                                lacksClaim(reason)
                                        ? "check its claims: kubectl get pvc"
                                        : "it starts once a node has capacity; a lower request or a higher priority"
                                                + " helps"))
                        : reason);
    }

    /** Returns whether the scheduler misses a claim, or its volume: "pod has unbound immediate PersistentVolumeClaims". */
    private static boolean lacksClaim(PodReason unscheduled) {
        return unscheduled.message.orElse("").toLowerCase(Locale.ROOT).contains("persistentvolumeclaim");
    }

    /** Returns a message with the finalizers that keep a terminating pod; empty if it has none. */
    private static Optional<String> held(Pod pod) {
        List<String> finalizers = PodMapper.list(pod.getMetadata().getFinalizers());
        return finalizers.isEmpty()
                ? Optional.empty()
                : Optional.of("it stays until its finalizers are removed: " + String.join(", ", finalizers));
    }

    private static String node(Pod pod) {
        return pod.getSpec().getNodeName() == null ? "its node" : pod.getSpec().getNodeName();
    }

    private static Optional<PodCondition> condition(PodStatus status, String type, String value) {
        return PodMapper.list(status.getConditions()).stream()
                .filter(c -> type.equals(c.getType()) && value.equals(c.getStatus()))
                .findFirst();
    }

    private static Optional<PodReason> of(@Nullable String word, @Nullable String text) {
        if (word == null || word.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new PodReason(word, Optional.ofNullable(text).flatMap(PodReason::line), false));
    }

    private PodReason and(Optional<String> more) {
        List<String> parts = new ArrayList<>();
        message.map(text -> more.isEmpty() ? text : text.replaceFirst("\\.$", ""))
                .ifPresent(parts::add);
        more.ifPresent(parts::add);
        return new PodReason(word, parts.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", parts)), blocks);
    }

    private static Optional<String> line(String text) {
        String line = text.strip().replaceAll("\\s*\\R\\s*", " | ");
        return Optional.of(line.length() <= LONGEST ? line : line.substring(0, LONGEST) + " …")
                .filter(some -> !some.isEmpty());
    }

    /** Returns the end of a program's output, which usually has the reason of its end. */
    private static @Nullable String last(@Nullable String text) {
        return text == null || text.strip().length() <= LONGEST
                ? text
                : "… " + text.strip().substring(text.strip().length() - LONGEST + 2);
    }
}
