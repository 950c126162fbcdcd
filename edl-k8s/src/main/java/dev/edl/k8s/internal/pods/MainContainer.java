package dev.edl.k8s.internal.pods;

import dev.edl.spec.Framework;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Container of a pod that is the replica. It is found by name, because an admission webhook may put other containers
 * first. Pure.
 */
public final class MainContainer {
    /** Annotation in which EDL stores the name of a pod's main container. */
    public static final String ANNOTATION = "edl.dev/container";

    /** Kubernetes' annotation for the default container of {@code kubectl logs} and {@code kubectl exec}. */
    public static final String KUBECTL = "kubectl.kubernetes.io/default-container";

    /**
     * Names that EDL and the operators give to main containers: the framework's id or, in a TrainingJob, the role's id.
     */
    private static final Set<String> USUAL = Stream.concat(
                    Arrays.stream(Framework.values()).map(Framework::id),
                    Stream.of(RoleType.LAUNCHER.id(), RoleType.WORKER.id()))
            .collect(Collectors.toUnmodifiableSet());

    private MainContainer() {}

    /**
     * Returns the name of a pod's main container. The first match counts: EDL's annotation, a usual name, kubectl's
     * annotation, the first container.
     */
    public static String name(Pod pod) {
        return name(pod.getMetadata(), pod.getSpec());
    }

    private static String name(ObjectMeta metadata, PodSpec spec) {
        Map<String, String> notes = given(metadata.getAnnotations());
        List<String> names =
                spec.getContainers().stream().map(Container::getName).toList();
        return Stream.of(
                        Stream.ofNullable(notes.get(ANNOTATION)),
                        names.stream().filter(USUAL::contains),
                        Stream.ofNullable(notes.get(KUBECTL)))
                .flatMap(some -> some)
                .filter(names::contains)
                .findFirst()
                .orElseGet(() -> names.get(0));
    }

    /**
     * Stores a new pod's main container in its annotations. A kubectl annotation of the user stays.
     *
     * @param usual name of the main container by the pod's profile; a user's change to the pod may have renamed it
     * @return the main container
     */
    public static Container note(ObjectMeta metadata, PodSpec spec, String usual) {
        Map<String, String> notes = new LinkedHashMap<>(given(metadata.getAnnotations()));
        notes.put(ANNOTATION, usual);
        metadata.setAnnotations(notes);
        String name = name(metadata, spec);
        notes.put(ANNOTATION, name);
        notes.putIfAbsent(KUBECTL, name);
        return named(spec, name);
    }

    /** Returns a pod's main container. */
    public static Container of(Pod pod) {
        return named(pod.getSpec(), name(pod));
    }

    private static Container named(PodSpec spec, String name) {
        return spec.getContainers().stream()
                .filter(container -> container.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the status of a pod's main container; empty before the node reports one. */
    public static Optional<ContainerStatus> status(Pod pod) {
        if (pod.getStatus() == null) {
            return Optional.empty();
        }
        String name = name(pod);
        return given(pod.getStatus().getContainerStatuses()).stream()
                .filter(status -> status.getName().equals(name))
                .findFirst();
    }

    /** Returns the state of a pod's main container; empty before the node reports one. */
    public static Optional<ContainerState> state(Pod pod) {
        return status(pod).map(ContainerStatus::getState);
    }

    /** Returns how the main container ended; empty if it has not ended, or its node restarts it. */
    public static Optional<ContainerStateTerminated> end(Pod pod) {
        return state(pod).map(ContainerState::getTerminated).filter(end -> stays(pod, end));
    }

    private static boolean stays(Pod pod, ContainerStateTerminated end) {
        Container main = of(pod);
        String policy = main.getRestartPolicy() == null ? pod.getSpec().getRestartPolicy() : main.getRestartPolicy();
        return "Never".equals(policy) || ("OnFailure".equals(policy) && end.getExitCode() == 0);
    }

    private static <T> List<T> given(@Nullable List<T> some) {
        return some == null ? List.of() : some;
    }

    private static Map<String, String> given(@Nullable Map<String, String> some) {
        return some == null ? Map.of() : some;
    }
}
