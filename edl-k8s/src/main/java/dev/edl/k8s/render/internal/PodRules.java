package dev.edl.k8s.render.internal;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds what the API server would refuse in a finished pod, which has parts of the profile, sidecars and the user's
 * changes. It checks names, labels, images, variables, mounts and ports, where parts of different origin meet, and
 * numbers that Kubernetes bounds more tightly than their type.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/apis/core/validation/validation.go">Kubernetes
 *     1.36: validation of pods</a>
 */
public final class PodRules {
    private static final Pattern WORD = Pattern.compile("\\S+");
    private static final int LARGEST_PORT = 65_535;
    private static final Pattern PORT = Pattern.compile("(?=.{1,15}$)(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*");

    private final PodTemplateSpec pod;
    private final List<String> mistakes = new ArrayList<>();

    private PodRules(PodTemplateSpec pod) {
        this.pod = pod;
    }

    /** Returns the mistakes in a pod, one line each; empty when there is none. */
    public static List<String> mistakes(PodTemplateSpec pod) {
        PodRules rules = new PodRules(pod);
        rules.metadata();
        rules.within("activeDeadlineSeconds", pod.getSpec().getActiveDeadlineSeconds(), 1, Integer.MAX_VALUE);
        Set<String> volumes = rules.volumes();
        Set<String> names = new HashSet<>();
        containers(pod.getSpec()).forEach(container -> rules.container(container, names, volumes));
        return rules.mistakes;
    }

    /** Returns the init containers, then the containers. */
    public static Stream<Container> containers(PodSpec spec) {
        return Stream.concat(given(spec.getInitContainers()).stream(), given(spec.getContainers()).stream());
    }

    /** Returns the list, or an empty one for null. */
    public static <T> Collection<T> given(@Nullable Collection<T> list) {
        return list == null ? List.of() : list;
    }

    private void metadata() {
        Map<String, String> labels = pod.getMetadata().getLabels();
        if (labels != null) {
            labels.forEach((key, value) -> {
                form(OptionSyntax.isKey(key), "a label must have the form name or domain/name", key);
                form(
                        value != null && OptionSyntax.isLabelValue(value),
                        "the label " + key
                                + " must have at most 63 letters, digits, dashes, dots and underscores, first"
                                + " and last a letter or digit",
                        value);
            });
        }
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        if (annotations != null) {
            annotations
                    .keySet()
                    .forEach(key ->
                            form(OptionSyntax.isKey(key), "an annotation must have the form name or domain/name", key));
        }
    }

    private Set<String> volumes() {
        Set<String> names = new HashSet<>();
        for (Volume volume : given(pod.getSpec().getVolumes())) {
            label("a volume's name", volume.getName());
            if (!names.add(volume.getName())) {
                mistakes.add("two volumes are named " + volume.getName() + "; rename one");
            }
        }
        return names;
    }

    private void container(Container container, Set<String> names, Set<String> volumes) {
        label("a container's name", container.getName());
        if (!names.add(container.getName())) {
            mistakes.add("two containers are named " + container.getName() + "; rename one");
        }
        String of = "container " + container.getName() + ": ";
        form(
                container.getImage() != null
                        && WORD.matcher(container.getImage()).matches(),
                of + "an image must be given",
                container.getImage());
        for (EnvVar variable : given(container.getEnv())) {
            String name = variable.getName();
            form(
                    name != null && !name.isEmpty() && name.indexOf('=') < 0,
                    of + "a variable must have a name without =",
                    name);
        }
        mounts(of, container, volumes);
        ports(of, container);
        probe(of + "livenessProbe.", container.getLivenessProbe(), 1);
        Probe readiness = container.getReadinessProbe();
        probe(of + "readinessProbe.", readiness, Integer.MAX_VALUE);
        if (readiness != null && readiness.getTerminationGracePeriodSeconds() != null) {
            mistakes.add(of + "readinessProbe.terminationGracePeriodSeconds must not be set, because a readiness probe"
                    + " ends no container, was " + readiness.getTerminationGracePeriodSeconds());
        }
        probe(of + "startupProbe.", container.getStartupProbe(), 1);
    }

    private void probe(String of, @Nullable Probe probe, int mostSuccesses) {
        if (probe == null) {
            return;
        }
        within(of + "initialDelaySeconds", probe.getInitialDelaySeconds(), 0, Integer.MAX_VALUE);
        within(of + "timeoutSeconds", probe.getTimeoutSeconds(), 0, Integer.MAX_VALUE);
        within(of + "periodSeconds", probe.getPeriodSeconds(), 0, Integer.MAX_VALUE);
        within(of + "successThreshold", probe.getSuccessThreshold(), 0, mostSuccesses);
        within(of + "failureThreshold", probe.getFailureThreshold(), 0, Integer.MAX_VALUE);
        within(of + "terminationGracePeriodSeconds", probe.getTerminationGracePeriodSeconds(), 1, Long.MAX_VALUE);
        if (probe.getHttpGet() != null && probe.getHttpGet().getPort() != null) {
            within(of + "httpGet.port", probe.getHttpGet().getPort().getIntVal(), 1, LARGEST_PORT);
        }
        if (probe.getTcpSocket() != null && probe.getTcpSocket().getPort() != null) {
            within(of + "tcpSocket.port", probe.getTcpSocket().getPort().getIntVal(), 1, LARGEST_PORT);
        }
        if (probe.getGrpc() != null) {
            within(of + "grpc.port", probe.getGrpc().getPort(), 1, LARGEST_PORT);
        }
    }

    private void within(String what, @Nullable Number value, long least, long most) {
        if (value != null && (value.longValue() < least || value.longValue() > most)) {
            mistakes.add(what + " must be from " + least + " to " + most + ", was " + value);
        }
    }

    private void mounts(String of, Container container, Set<String> volumes) {
        Set<String> paths = new HashSet<>();
        for (VolumeMount mount : given(container.getVolumeMounts())) {
            String path = mount.getMountPath();
            form(
                    path != null && !path.isEmpty() && path.indexOf(':') < 0,
                    of + "a mount path must be given, without :",
                    path);
            if (!paths.add(path)) {
                mistakes.add(of + path + " must be mounted once, is mounted twice");
            }
            if (!volumes.contains(mount.getName())) {
                mistakes.add(of + "mounts the volume " + mount.getName() + ", which the pod does not have; add it");
            }
        }
    }

    private void ports(String of, Container container) {
        Set<String> names = new HashSet<>();
        for (ContainerPort port : given(container.getPorts())) {
            Integer number = port.getContainerPort();
            if (number == null) {
                mistakes.add(of + "a port must be from 1 to " + LARGEST_PORT + ", was missing");
            }
            within(of + "a port", number, 1, LARGEST_PORT);
            within(of + "hostPort", port.getHostPort(), 0, LARGEST_PORT);
            String name = port.getName();
            if (name != null) {
                form(
                        PORT.matcher(name).matches(),
                        of + "a port's name must have at most 15 lower-case letters, digits and single dashes,"
                                + " one of them a letter",
                        name);
                if (!names.add(name)) {
                    mistakes.add(of + "two ports are named " + name + "; rename one");
                }
            }
        }
    }

    private void label(String what, @Nullable String name) {
        form(
                name != null && OptionSyntax.isLabel(name),
                what + " must be a DNS label of at most 63 lower-case letters, digits and dashes",
                name);
    }

    private void form(boolean holds, String rule, @Nullable String value) {
        if (!holds) {
            mistakes.add(rule + ", was " + (value == null ? "not given" : "\"" + value + "\""));
        }
    }
}
