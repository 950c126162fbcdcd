package dev.edl.operators.controller;

import dev.edl.internal.text.ResourceQuantity;
import dev.edl.k8s.render.ControllerConfig;
import dev.edl.operators.controller.internal.ManifestMain;
import dev.edl.operators.crd.CustomObject;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Everything that installs a {@link Controller} in a cluster: the kinds, an account that may do what the controller does and nothing
 * else, and two replicas, of which one leads. A pure function; the same bytes each time.
 *
 * <pre>{@code
 * Files.writeString(
 *     Path.of("controller.yaml"),
 *     ControllerManifest.of("registry.example/edl-controller:1", "team-a").toYaml());   // kubectl apply -f controller.yaml
 * }</pre>
 *
 * <p>The image has Java 17 or newer as {@code java} and the jars of edl-operators with all that they need in {@code
 * /edl}. Immutable.
 */
public final class ControllerManifest {
    static final String NAME = "edl-controller";
    static final String CONFIG = "controller_config_file.yaml";
    private static final String RBAC = "rbac.authorization.k8s.io";

    private final ManifestOptions options;

    private ControllerManifest(ManifestOptions options) {
        this.options = options;
    }

    /**
     * A controller in a namespace that exists, for the objects of that namespace only: a Role and no ClusterRole.
     *
     * @throws IllegalArgumentException for an image that is empty or has spaces, or a text that is no name of a namespace
     */
    public static ControllerManifest of(String image, String namespace) {
        return new ControllerManifest(ManifestOptions.of(image("image", image, "registry.example/edl-controller:1"))
                .in(name(namespace)));
    }

    /**
     * A controller of all namespaces, itself in a namespace {@code edl-system} of its own, which the manifest has as well: a
     * ClusterRole by which its account may create pods everywhere.
     *
     * @throws IllegalArgumentException for an image that is empty or has spaces
     */
    public static ControllerManifest allNamespaces(String image) {
        return new ControllerManifest(ManifestOptions.of(image("image", image, "registry.example/edl-controller:1"))
                .everywhere()
                .in("edl-system"));
    }

    private static String image(String what, String image, String example) {
        if (!image.matches("\\S+")) {
            throw new IllegalArgumentException(
                    what + " must not be empty and have no spaces, was \"" + image + "\"; for example " + example);
        }
        return image;
    }

    /**
     * The same in another namespace. That of a controller of all namespaces is in the manifest: one that exists already gets the
     * label that enforces Pod Security {@code restricted} for all new pods in it.
     *
     * @throws IllegalArgumentException for a text that is no name of a namespace
     */
    public ControllerManifest in(String other) {
        return new ControllerManifest(options.in(name(other)));
    }

    private static String name(String namespace) {
        if (!namespace.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
            throw new IllegalArgumentException(
                    "a namespace must be a DNS label, was \"" + namespace + "\"; for example edl-system");
        }
        return namespace;
    }

    /**
     * The same for some kinds only, whose rights alone the account has.
     *
     * @param words some of {@code tfjob}, {@code mxjob} and {@code trainingjob}, with which ScaleIn and ScaleOut come
     * @throws IllegalArgumentException for no word, or another one
     */
    public ControllerManifest kinds(String... words) {
        Set<String> chosen = new LinkedHashSet<>(List.of(words));
        Kinds.of(chosen, ControllerConfig.parse("{}"), Kinds.INIT_IMAGE);
        return new ControllerManifest(options.kinds(chosen));
    }

    /**
     * The same, with a configuration in the format of the TfJob operator.
     *
     * @throws IllegalArgumentException with every mistake in it
     */
    public ControllerManifest config(String yaml) {
        ControllerConfig.parse(yaml);
        return new ControllerManifest(options.config(yaml));
    }

    /**
     * The same, with another image for the first container of a TrainingJob's launcher, which copies the hosts: one with a shell and
     * {@code cp}.
     *
     * @throws IllegalArgumentException for an image that is empty or has spaces
     */
    public ControllerManifest initContainerImage(String other) {
        return new ControllerManifest(
                options.argument("--init-container-image", image("initContainerImage", other, Kinds.INIT_IMAGE)));
    }

    /**
     * The same, where workers leave nodes that are about to go ({@link ControllerBuilder#nodeNotices}, by the standard notices):
     * the account may list and watch nodes, by a ClusterRole also where it has only a Role otherwise.
     */
    public ControllerManifest nodeNotices() {
        return new ControllerManifest(options.argument("--node-notices"));
    }

    /** Returns the same manifest, of a controller that deletes no pod by force ({@link ControllerBuilder#forceDelete}). */
    public ControllerManifest withoutForceDelete() {
        return new ControllerManifest(options.argument("--no-force-delete"));
    }

    /** The same with other limits of replicas; what they take of memory is the caller's to give by {@link #memory}. */
    public ControllerManifest replicas(ReplicaLimits most) {
        return new ControllerManifest(options.argument("--max-replicas-per-job", "" + most.perJob())
                .argument("--max-replicas-per-namespace", "" + most.perNamespace())
                .argument("--max-replicas", "" + most.total()));
    }

    /**
     * The same with another request and limit of memory than 1Gi, of which the heap takes three quarters.
     *
     * @param quantity as Kubernetes writes it, {@code 2Gi}; at 0 there is no limit
     * @throws IllegalArgumentException for a text that is no quantity
     */
    public ControllerManifest memory(String quantity) {
        return new ControllerManifest(
                options.memory(ResourceQuantity.bytes("memory", quantity, "2Gi").text()));
    }

    /** The same with metrics for Prometheus on port 8080 of the pods; the image needs the jars of module edl-prometheus for it. */
    public ControllerManifest metrics() {
        return new ControllerManifest(options.argument("--metrics-bind-address", "0.0.0.0:8080"));
    }

    /**
     * The same with a PriorityClass, so that the controller is not evicted before the jobs that it drives.
     *
     * @throws IllegalArgumentException for a text that is no name of one
     */
    public ControllerManifest priorityClass(String name) {
        if (!name.matches("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?")) {
            throw new IllegalArgumentException("priorityClass must be the name of a PriorityClass, was \"" + name
                    + "\"; for example system-cluster-critical");
        }
        return new ControllerManifest(options.priorityClass(name));
    }

    /** Every object, what others need before those that need it. */
    public List<HasMetadata> objects() {
        List<ObjectKind> kinds = Kinds.of(options.kinds(), ControllerConfig.parse("{}"), Kinds.INIT_IMAGE);
        boolean notices = options.arguments().contains("--node-notices");
        List<HasMetadata> objects = new ArrayList<>();
        kinds.forEach(kind -> objects.add(kind.definition()));
        if (options.all()) {
            objects.add(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName(options.namespace())
                    .withLabels(Map.of("pod-security.kubernetes.io/enforce", "restricted"))
                    .endMetadata()
                    .build());
        }
        objects.add(new ServiceAccountBuilder().withMetadata(metadata(NAME)).build());
        List<PolicyRule> rules = ControllerRules.objects(kinds);
        if (options.all()) {
            if (notices) {
                rules.addAll(ControllerRules.nodes());
            }
            clusterRole(NAME, rules, objects);
            role(NAME + "-lease", ControllerRules.lease(), objects);
        } else {
            rules.addAll(ControllerRules.lease());
            role(NAME, rules, objects);
            if (notices) {
                clusterRole(NAME + "-nodes-" + options.namespace(), ControllerRules.nodes(), objects);
            }
        }
        options.config()
                .ifPresent(yaml -> objects.add(new ConfigMapBuilder()
                        .withMetadata(metadata(NAME + "-config"))
                        .withData(Map.of(CONFIG, yaml))
                        .build()));
        objects.add(ControllerDeployment.budget(metadata(NAME)));
        objects.add(ControllerDeployment.of(metadata(NAME), options));
        return objects;
    }

    private void clusterRole(String name, List<PolicyRule> rules, List<HasMetadata> objects) {
        objects.add(new ClusterRoleBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withRules(rules)
                .build());
        objects.add(new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewRoleRef(RBAC, "ClusterRole", name)
                .withSubjects(subject())
                .build());
    }

    private void role(String name, List<PolicyRule> rules, List<HasMetadata> objects) {
        objects.add(
                new RoleBuilder().withMetadata(metadata(name)).withRules(rules).build());
        objects.add(new RoleBindingBuilder()
                .withMetadata(metadata(name))
                .withNewRoleRef(RBAC, "Role", name)
                .withSubjects(subject())
                .build());
    }

    private Subject subject() {
        return new SubjectBuilder()
                .withKind("ServiceAccount")
                .withName(NAME)
                .withNamespace(options.namespace())
                .build();
    }

    private ObjectMeta metadata(String name) {
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(options.namespace())
                .build();
    }

    /** Every object as a YAML document, in order: what {@code kubectl apply -f} takes. */
    public String toYaml() {
        return objects().stream()
                .map(object -> "---\n" + CustomObject.of(object).toYaml())
                .collect(Collectors.joining());
    }

    /** The objects, one a line: {@code Deployment edl-system/edl-controller}. */
    @Override
    public String toString() {
        return objects().stream()
                .map(object -> CustomObject.of(object).toString())
                .collect(Collectors.joining("\n"));
    }

    /**
     * Prints a manifest: {@code ControllerManifest IMAGE --namespace NAME}, or {@code IMAGE --all-namespaces}, and the other options of
     * docs/controller.md.
     *
     * <pre>
     * java -cp ... dev.edl.operators.controller.ControllerManifest registry.example/edl-controller:1 --namespace team-a | kubectl apply -f -
     * </pre>
     */
    public static void main(String[] args) throws IOException {
        ManifestMain.run(List.of(args), System.out, System.err).ifPresent(System::exit);
    }
}
