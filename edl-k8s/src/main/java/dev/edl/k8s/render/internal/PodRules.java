package dev.edl.k8s.render.internal;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
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
 * changes. It checks names, labels, images, variables, mounts and ports, where parts of different origin meet.
 */
public final class PodRules {
    private static final Pattern WORD = Pattern.compile("\\S+");
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
            if (number == null || number < 1 || number > 65_535) {
                mistakes.add(of + "a port must be from 1 to 65535, was " + number);
            }
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
