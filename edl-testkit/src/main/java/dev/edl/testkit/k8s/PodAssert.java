package dev.edl.testkit.k8s;

import dev.edl.k8s.render.PodSecurity;
import dev.edl.testkit.EdlAssert;
import dev.edl.testkit.Golden;
import dev.edl.testkit.TfConfigAssert;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.assertj.core.api.AssertionErrorCollector;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on a pod template. Assertions on image, environment, resources and mounts apply to its first container,
 * which runs the training; {@link #container(String)} selects another container.
 */
public final class PodAssert extends EdlAssert<PodAssert, PodTemplateSpec> {
    PodAssert(@Nullable PodTemplateSpec actual) {
        super(actual, PodAssert.class);
    }

    PodAssert soft(AssertionErrorCollector collector) {
        return collectedBy(collector);
    }

    @Override
    protected String subject() {
        return PodDescription.of(actual);
    }

    private ObjectMeta meta() {
        isNotNull();
        return actual.getMetadata() == null ? new ObjectMeta() : actual.getMetadata();
    }

    private PodSpec spec() {
        isNotNull();
        return actual.getSpec() == null ? new PodSpec() : actual.getSpec();
    }

    private static Map<String, String> sorted(@Nullable Map<String, String> map) {
        return map == null ? Map.of() : new TreeMap<>(map);
    }

    /** Verifies a label. */
    public PodAssert hasLabel(String key, String value) {
        return entry("label", sorted(meta().getLabels()), key, value);
    }

    /** Verifies that a label is absent. */
    public PodAssert doesNotHaveLabel(String key) {
        return noEntry("label", sorted(meta().getLabels()), key);
    }

    /** Verifies an annotation. */
    public PodAssert hasAnnotation(String key, String value) {
        return entry("annotation", sorted(meta().getAnnotations()), key, value);
    }

    /** Verifies that an annotation is absent. */
    public PodAssert doesNotHaveAnnotation(String key) {
        return noEntry("annotation", sorted(meta().getAnnotations()), key);
    }

    /** Verifies its PriorityClass. */
    public PodAssert hasPriorityClass(String name) {
        return present("priority class", name, Optional.ofNullable(spec().getPriorityClassName()));
    }

    /** Verifies that it sets no PriorityClass. */
    public PodAssert hasNoPriorityClass() {
        return absent("priority class", Optional.ofNullable(spec().getPriorityClassName()));
    }

    /** Verifies its service account. */
    public PodAssert hasServiceAccount(String name) {
        return present("service account", name, Optional.ofNullable(spec().getServiceAccountName()));
    }

    /** Verifies its scheduler. */
    public PodAssert hasScheduler(String name) {
        return present("scheduler", name, Optional.ofNullable(spec().getSchedulerName()));
    }

    /** Verifies its restart policy: {@code Always}, {@code OnFailure} or {@code Never}. */
    public PodAssert hasRestartPolicy(String policy) {
        return present("restart policy", policy, Optional.ofNullable(spec().getRestartPolicy()));
    }

    /** Verifies a label that its node must have. */
    public PodAssert hasNodeSelector(String key, String value) {
        return entry("node selector", sorted(spec().getNodeSelector()), key, value);
    }

    /** Verifies a secret for pulling the pod's images; ignores other secrets. */
    public PodAssert hasImagePullSecret(String name) {
        List<String> names = spec().getImagePullSecrets().stream()
                .map(LocalObjectReference::getName)
                .toList();
        return names.contains(name)
                ? this
                : refuse("expected image pull secret \"" + name + "\"" + suggestion(name, names));
    }

    /**
     * Verifies that the pod tolerates a taint, by a toleration of the taint's key or of all keys.
     *
     * @param key key of the taint, such as {@code nvidia.com/gpu}
     * @param effect effect of the taint: {@code NoSchedule}, {@code PreferNoSchedule} or {@code NoExecute}
     */
    public PodAssert tolerates(String key, String effect) {
        List<Toleration> all = spec().getTolerations();
        boolean tolerated = all.stream()
                .anyMatch(t -> (t.getKey() == null
                                || t.getKey().isEmpty()
                                || t.getKey().equals(key))
                        && (t.getEffect() == null
                                || t.getEffect().isEmpty()
                                || t.getEffect().equals(effect)));
        String listed = all.stream().map(PodAssert::word).collect(Collectors.joining(", "));
        return tolerated
                ? this
                : refuse("expected to tolerate " + key + ":" + effect + ", tolerates "
                        + (listed.isEmpty() ? "nothing" : listed));
    }

    private static String word(Toleration toleration) {
        return wordOrAll(toleration.getKey()) + ":" + wordOrAll(toleration.getEffect());
    }

    private static String wordOrAll(@Nullable String word) {
        return word == null || word.isEmpty() ? "*" : word;
    }

    /** Verifies the names of all its containers in order, without {@code initContainers}. */
    public PodAssert hasContainers(String... names) {
        return same("containers", listed(names), names(spec().getContainers()));
    }

    /** Verifies the names of all init containers, which end before the other containers start, in order. */
    public PodAssert hasInitContainers(String... names) {
        return same("init containers", listed(names), names(started(false)));
    }

    /**
     * Verifies the names of all sidecars, the init containers that keep running beside the other containers, in order.
     */
    public PodAssert hasSidecars(String... names) {
        return same("sidecars", listed(names), names(started(true)));
    }

    private List<Container> started(boolean sidecars) {
        return spec().getInitContainers().stream()
                .filter(container -> sidecars == "Always".equals(container.getRestartPolicy()))
                .toList();
    }

    private static List<String> names(List<Container> containers) {
        return containers.stream().map(Container::getName).toList();
    }

    /** Returns an assertion about the pod's first container. */
    public ContainerAssert container() {
        List<Container> containers = spec().getContainers();
        if (containers.isEmpty()) {
            refuse("expected a container, but there is none");
            return mute(new ContainerAssert(subject(), new Container(), spec()));
        }
        return next(new ContainerAssert(subject(), containers.get(0), spec()));
    }

    /** Returns an assertion about the container with a name, which may be one of {@code initContainers}. */
    public ContainerAssert container(String name) {
        for (List<Container> containers : List.of(spec().getContainers(), spec().getInitContainers())) {
            for (Container container : containers) {
                if (name.equals(container.getName())) {
                    return next(new ContainerAssert(subject(), container, spec()));
                }
            }
        }
        List<String> all = new ArrayList<>(names(spec().getContainers()));
        all.addAll(names(spec().getInitContainers()));
        refuse("expected a container \"" + name + "\"" + suggestion(name, all));
        return mute(new ContainerAssert(subject(), new Container(), spec()));
    }

    /** Runs assertions on a container and returns this assertion about the pod. */
    public PodAssert container(String name, Consumer<ContainerAssert> assertions) {
        return given(container(name), assertions);
    }

    /** Calls {@link ContainerAssert#hasImage} on the first container. */
    public PodAssert hasImage(String image) {
        container().hasImage(image);
        return this;
    }

    /** Calls {@link ContainerAssert#hasCommand} on the first container. */
    public PodAssert hasCommand(String... words) {
        container().hasCommand(words);
        return this;
    }

    /** Calls {@link ContainerAssert#hasArgs} on the first container. */
    public PodAssert hasArgs(String... words) {
        container().hasArgs(words);
        return this;
    }

    /** Calls {@link ContainerAssert#hasPort} on the first container. */
    public PodAssert hasPort(int port) {
        container().hasPort(port);
        return this;
    }

    /** Calls {@link ContainerAssert#hasEnv} on the first container. */
    public PodAssert hasEnv(String name, String value) {
        container().hasEnv(name, value);
        return this;
    }

    /** Calls {@link ContainerAssert#hasEnvFromSecret} on the first container. */
    public PodAssert hasEnvFromSecret(String name, String secret, String key) {
        container().hasEnvFromSecret(name, secret, key);
        return this;
    }

    /**
     * Returns an assertion about the {@code TF_CONFIG} of the first container; see {@link ContainerAssert#tfConfig}.
     */
    public TfConfigAssert tfConfig() {
        return container().tfConfig();
    }

    /** Calls {@link ContainerAssert#doesNotHaveEnv} on the first container. */
    public PodAssert doesNotHaveEnv(String name) {
        container().doesNotHaveEnv(name);
        return this;
    }

    /** Calls {@link ContainerAssert#hasRequests} on the first container. */
    public PodAssert hasRequests(String resources) {
        container().hasRequests(resources);
        return this;
    }

    /** Calls {@link ContainerAssert#hasRequest} on the first container. */
    public PodAssert hasRequest(String name, String amount) {
        container().hasRequest(name, amount);
        return this;
    }

    /** Calls {@link ContainerAssert#hasLimits} on the first container. */
    public PodAssert hasLimits(String resources) {
        container().hasLimits(resources);
        return this;
    }

    /** Calls {@link ContainerAssert#hasLimit} on the first container. */
    public PodAssert hasLimit(String name, String amount) {
        container().hasLimit(name, amount);
        return this;
    }

    /** Calls {@link ContainerAssert#mountsClaim} on the first container. */
    public PodAssert mountsClaim(String path, String claim) {
        container().mountsClaim(path, claim);
        return this;
    }

    /** Calls {@link ContainerAssert#mountsSecret} on the first container. */
    public PodAssert mountsSecret(String path, String secret) {
        container().mountsSecret(path, secret);
        return this;
    }

    /** Calls {@link ContainerAssert#mountsConfigMap} on the first container. */
    public PodAssert mountsConfigMap(String path, String map) {
        container().mountsConfigMap(path, map);
        return this;
    }

    /** Calls {@link ContainerAssert#mountsNothingAt} on the first container. */
    public PodAssert mountsNothingAt(String path) {
        container().mountsNothingAt(path);
        return this;
    }

    /**
     * Verifies that the pod, as one for Linux, meets the Pod Security Standard {@code restricted}, which includes
     * {@code baseline}. The failure lists every violating field.
     *
     * @see <a href="https://kubernetes.io/docs/concepts/security/pod-security-standards/">Kubernetes: Pod Security
     *     Standards</a>
     */
    public PodAssert isRestricted() {
        List<String> violations = PodSecurity.violations(new PodTemplateSpecBuilder()
                .withMetadata(meta())
                .withSpec(spec())
                .build());
        return violations.isEmpty()
                ? this
                : refuse("expected to meet the Pod Security Standard restricted, but\n  "
                        + String.join("\n  ", violations));
    }

    /**
     * Verifies that no service account token is mounted into the pod, so that its programs cannot authenticate to the
     * API server.
     */
    public PodAssert mountsNoServiceAccountToken() {
        return Boolean.FALSE.equals(spec().getAutomountServiceAccountToken())
                ? this
                : refuse("expected automountServiceAccountToken false, was "
                        + (spec().getAutomountServiceAccountToken() == null ? "not given, which is true" : "true"));
    }

    /** Verifies that its containers use the network of the node. */
    public PodAssert usesHostNetwork() {
        return Boolean.TRUE.equals(spec().getHostNetwork())
                ? this
                : refuse("expected host network, but it has its own");
    }

    /** Verifies that its containers have a network of their own. */
    public PodAssert doesNotUseHostNetwork() {
        return Boolean.TRUE.equals(spec().getHostNetwork())
                ? refuse("expected no host network, but it has the node's")
                : this;
    }

    /** Verifies that the pod template's YAML equals the golden file of the running test; see {@link Golden#ofTest}. */
    public PodAssert matchesGolden() {
        return matches(Golden.ofTest());
    }

    /**
     * Verifies that the pod template's YAML equals a golden file below {@code src/test/resources}, such as
     * {@code "pods/worker.yaml"}; see {@link Golden#named}.
     */
    public PodAssert matchesGolden(String name) {
        return matches(Golden.named(name));
    }

    /** Verifies that the pod template's YAML equals a golden file at any path; see {@link Golden#at}. */
    public PodAssert matchesGolden(Path file) {
        return matches(Golden.at(file));
    }

    private PodAssert matches(Golden golden) {
        isNotNull();
        return guarded(() -> {
            noSecrets(PlaintextSecretFinder.in(actual));
            golden.check(described(), DerivedRunIdMask.hidden(Serialization.asYaml(actual)));
        });
    }
}
