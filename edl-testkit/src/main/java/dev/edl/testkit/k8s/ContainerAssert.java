package dev.edl.testkit.k8s;

import dev.edl.spec.Resources;
import dev.edl.spec.SensitiveEnv;
import dev.edl.testkit.EnvAssert;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Assertions on a container of a pod. */
public final class ContainerAssert extends EnvAssert<ContainerAssert, Container> {
    /** Reference that Kubernetes expands in the pods of an indexed Job. */
    private static final String INDEX = "$(JOB_COMPLETION_INDEX)";

    private final String pod;
    private final PodSpec spec;

    ContainerAssert(String pod, Container actual, PodSpec spec) {
        super(actual, ContainerAssert.class);
        this.pod = pod;
        this.spec = spec;
    }

    @Override
    protected String subject() {
        return pod + ", container " + actual.getName();
    }

    /** Verifies its image. */
    public ContainerAssert hasImage(String image) {
        return present("image", image, Optional.ofNullable(actual.getImage()));
    }

    /** Verifies all words of its entry point, as written in the template. */
    public ContainerAssert hasCommand(String... words) {
        return same("command", listed(words), actual.getCommand());
    }

    /** Verifies all its arguments, as written in the template. */
    public ContainerAssert hasArgs(String... words) {
        return same("args", listed(words), actual.getArgs());
    }

    /** Verifies a port that the container listens on; ignores other ports. */
    public ContainerAssert hasPort(int port) {
        List<Integer> ports =
                actual.getPorts().stream().map(ContainerPort::getContainerPort).toList();
        return ports.contains(port) ? this : refuse("expected port " + port + ", ports are " + shown(ports));
    }

    /**
     * Verifies a variable with a literal value, as written in the template, where {@code $(NAME)} stands for the value
     * of another variable and {@code $$} for {@code $}.
     */
    public ContainerAssert hasEnv(String name, String value) {
        return taken(name) ? from(name, "=" + shown(SensitiveEnv.shown(name, value))) : variable(env(), name, value);
    }

    @Override
    protected String hint() {
        return variables().values().stream().noneMatch(value -> value.contains(INDEX))
                ? ""
                : "; the template is that of all replicas of the role, and " + INDEX + " stands for the index of each:"
                        + " assert on the pod of one, PodTemplates.of(plan).get(\"worker\", 0)";
    }

    @Override
    protected Map<String, String> variables() {
        Map<String, String> values = env();
        values.keySet().removeIf(this::taken);
        return values;
    }

    @Override
    protected Optional<String> variable(String name) {
        if (taken(name)) {
            from(name, " with a value");
            return Optional.empty();
        }
        return valueOf("variable", env(), name);
    }

    /** Verifies a variable whose value comes from a secret. */
    public ContainerAssert hasEnvFromSecret(String name, String secret, String key) {
        return source(name, "secret " + secret + ", key " + key);
    }

    /** Verifies a variable whose value comes from a config map. */
    public ContainerAssert hasEnvFromConfigMap(String name, String map, String key) {
        return source(name, "config map " + map + ", key " + key);
    }

    /** Verifies that every key of a secret becomes a variable ({@code envFrom}). */
    public ContainerAssert takesEnvOfSecret(String secret) {
        List<String> secrets = actual.getEnvFrom().stream()
                .filter(from -> from.getSecretRef() != null)
                .map(from -> from.getSecretRef().getName())
                .toList();
        return secrets.contains(secret)
                ? this
                : refuse("expected the variables of secret \"" + secret + "\"" + suggestion(secret, secrets));
    }

    /** Verifies that every key of a config map becomes a variable ({@code envFrom}). */
    public ContainerAssert takesEnvOfConfigMap(String map) {
        List<String> maps = actual.getEnvFrom().stream()
                .filter(from -> from.getConfigMapRef() != null)
                .map(from -> from.getConfigMapRef().getName())
                .toList();
        return maps.contains(map)
                ? this
                : refuse("expected the variables of config map \"" + map + "\"" + suggestion(map, maps));
    }

    /** Verifies that a variable is absent, regardless of its source; ignores {@code envFrom} of config maps and secrets. */
    public ContainerAssert doesNotHaveEnv(String name) {
        return taken(name)
                ? refuse("expected no variable " + name + ", is taken from " + env().get(name))
                : noVariable(env(), name);
    }

    private ContainerAssert source(String name, String expected) {
        valueOf("variable", env(), name)
                .filter(was -> !taken(name) || !was.equals(expected))
                .ifPresent(was -> refuse("expected variable " + name + " from " + expected
                        + (taken(name) ? ", is taken from " + was : ", was " + shown(was))));
        return this;
    }

    private ContainerAssert from(String name, String expected) {
        return refuse("expected variable " + name + expected + ", is taken from " + env().get(name));
    }

    /**
     * Returns whether a variable takes its value from another source, such as a secret. If the name is repeated, the
     * last entry counts, as in Kubernetes.
     */
    private boolean taken(String name) {
        return actual.getEnv().stream()
                .filter(variable -> name.equals(variable.getName()))
                .reduce((first, last) -> last)
                .filter(variable -> variable.getValueFrom() != null)
                .isPresent();
    }

    private Map<String, String> env() {
        Map<String, String> env = new LinkedHashMap<>();
        for (EnvVar variable : actual.getEnv()) {
            String value = variable.getValue() == null ? "" : variable.getValue();
            env.put(variable.getName(), variable.getValueFrom() == null ? value : describe(variable.getValueFrom()));
        }
        return env;
    }

    private static String describe(EnvVarSource source) {
        if (source.getSecretKeyRef() != null) {
            return "secret " + source.getSecretKeyRef().getName() + ", key "
                    + source.getSecretKeyRef().getKey();
        }
        if (source.getConfigMapKeyRef() != null) {
            return "config map " + source.getConfigMapKeyRef().getName() + ", key "
                    + source.getConfigMapKeyRef().getKey();
        }
        if (source.getFieldRef() != null) {
            return "field " + source.getFieldRef().getFieldPath();
        }
        return source.getResourceFieldRef() != null
                ? "resource " + source.getResourceFieldRef().getResource()
                : "elsewhere";
    }

    /**
     * Verifies all resource requests of the container.
     *
     * @param resources the requests in ElasticDL's grammar, such as {@code cpu=0.5,memory=2048Mi,gpu=1}; {@code 0.5}
     *     and {@code 500m} are equal
     * @throws IllegalArgumentException for a text outside the grammar
     */
    public ContainerAssert hasRequests(String resources) {
        return amounts("requests", resources, requests());
    }

    /**
     * Verifies the request of one resource; ignores other resources.
     *
     * @param name name of the resource, such as {@code cpu}, {@code memory}, {@code gpu} (NVIDIA's) or
     *     {@code amd.com/gpu}
     * @param amount the amount in any notation: {@code 0.5} and {@code 500m} are equal
     * @throws IllegalArgumentException for an invalid resource or amount
     */
    public ContainerAssert hasRequest(String name, String amount) {
        return amount("request", name, amount, requests());
    }

    /**
     * Verifies all resource limits of the container.
     *
     * @param resources the limits in ElasticDL's grammar, as in {@link #hasRequests}
     * @throws IllegalArgumentException for a text outside the grammar
     */
    public ContainerAssert hasLimits(String resources) {
        return amounts("limits", resources, limits());
    }

    /**
     * Verifies the limit of one resource; ignores other resources.
     *
     * @param name as in {@link #hasRequest}
     * @param amount as in {@link #hasRequest}
     * @throws IllegalArgumentException for an invalid resource or amount
     */
    public ContainerAssert hasLimit(String name, String amount) {
        return amount("limit", name, amount, limits());
    }

    private ResourceRequirements resources() {
        return actual.getResources() == null ? new ResourceRequirements() : actual.getResources();
    }

    private Map<String, Quantity> requests() {
        return sorted(resources().getRequests());
    }

    private Map<String, Quantity> limits() {
        return sorted(resources().getLimits());
    }

    private static Map<String, Quantity> sorted(@Nullable Map<String, Quantity> map) {
        return map == null ? Map.of() : new TreeMap<>(map);
    }

    private ContainerAssert amounts(String what, String resources, Map<String, Quantity> was) {
        Resources expected = Resources.parse(resources);
        Map<String, String> numbers = new TreeMap<>();
        was.forEach((name, amount) -> numbers.put(name, number(amount)));
        Map<String, String> wanted = new TreeMap<>();
        expected.amounts().forEach((name, amount) -> wanted.put(name, number(new Quantity(amount))));
        String listed = was.entrySet().stream()
                .map(amount -> amount.getKey() + "=" + amount.getValue())
                .collect(Collectors.joining(","));
        return numbers.equals(wanted)
                ? this
                : refuse("expected " + what + " " + shown(expected) + ", was " + (listed.isEmpty() ? "none" : listed));
    }

    private ContainerAssert amount(String what, String name, String amount, Map<String, Quantity> all) {
        Map.Entry<String, String> expected = Resources.parse(name + "=" + amount).amounts().entrySet().stream()
                .findFirst()
                .orElseThrow();
        Map<String, String> was = new LinkedHashMap<>();
        all.forEach((key, quantity) -> was.put(
                key,
                number(quantity).equals(number(new Quantity(expected.getValue())))
                        ? expected.getValue()
                        : quantity.toString()));
        return entry(what, was, expected.getKey(), expected.getValue());
    }

    /** Returns the text of an amount as a plain decimal number, which is equal for equal amounts. */
    private static String number(Quantity quantity) {
        return Quantity.parse(quantity.toString())
                .getNumericalAmount()
                .stripTrailingZeros()
                .toPlainString();
    }

    /** Verifies that a PersistentVolumeClaim is mounted at a path of the container. */
    public ContainerAssert mountsClaim(String path, String claim) {
        return entry("mount", mounts(), path, "claim " + claim);
    }

    /** Verifies that a secret is mounted at a path. */
    public ContainerAssert mountsSecret(String path, String secret) {
        return entry("mount", mounts(), path, "secret " + secret);
    }

    /** Verifies that a config map is mounted at a path. */
    public ContainerAssert mountsConfigMap(String path, String map) {
        return entry("mount", mounts(), path, "config map " + map);
    }

    /** Verifies that a path of the node is mounted at a path of the container. */
    public ContainerAssert mountsHostPath(String path, String hostPath) {
        return entry("mount", mounts(), path, "host path " + hostPath);
    }

    /**
     * Verifies that an {@code emptyDir} volume, which lives as long as the pod, is mounted at a path of the container.
     */
    public ContainerAssert mountsEmptyDirectory(String path) {
        return entry("mount", mounts(), path, "empty directory");
    }

    /** Verifies that the files of an image are mounted at a path. */
    public ContainerAssert mountsImage(String path, String reference) {
        return entry("mount", mounts(), path, "image " + reference);
    }

    /** Verifies that nothing is mounted at a path. */
    public ContainerAssert mountsNothingAt(String path) {
        return noEntry("mount", mounts(), path);
    }

    private Map<String, String> mounts() {
        Map<String, String> mounts = new LinkedHashMap<>();
        actual.getVolumeMounts()
                .forEach(mount -> mounts.put(mount.getMountPath(), VolumeText.of(spec.getVolumes(), mount.getName())));
        return mounts;
    }
}
