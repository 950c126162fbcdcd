package dev.edl.operators.controller;

import dev.edl.internal.text.ResourceQuantity;
import dev.edl.k8s.render.TfJobOperatorConfig;
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
 * Kubernetes manifest that installs a {@link Controller}: the custom resource definitions, a service account with only
 * the controller's permissions, and two replicas with leader election. Deterministic: the same settings give the same
 * bytes.
 *
 * <pre>{@code
 * Files.writeString(
 *     Path.of("controller.yaml"),
 *     ControllerManifest.of("registry.example/edl-controller:1", "team-a").toYaml());   // kubectl apply -f controller.yaml
 * }</pre>
 *
 * <p>The image must have Java 17 or newer as {@code java}, and the jars of edl-operators with all dependencies in
 * {@code /edl}. Immutable.
 */
public final class ControllerManifest {
    static final String NAME = "edl-controller";
    static final String CONFIG = "controller_config_file.yaml";
    private static final String RBAC = "rbac.authorization.k8s.io";

    private final ControllerManifestOptions options;

    private ControllerManifest(ControllerManifestOptions options) {
        this.options = options;
    }

    /**
     * Returns the manifest of a controller that runs in one existing namespace and drives only that namespace's
     * objects. It has a Role and no ClusterRole.
     *
     * @throws IllegalArgumentException for an image that is empty or has spaces, or an invalid namespace name
     */
    public static ControllerManifest of(String image, String namespace) {
        return new ControllerManifest(
                ControllerManifestOptions.of(image("image", image, "registry.example/edl-controller:1"))
                        .in(name(namespace)));
    }

    /**
     * Returns the manifest of a controller for all namespaces. It runs in the namespace {@code edl-system}, which the
     * manifest creates. A ClusterRole lets its account create pods everywhere.
     *
     * @throws IllegalArgumentException for an image that is empty or has spaces
     */
    public static ControllerManifest allNamespaces(String image) {
        return new ControllerManifest(
                ControllerManifestOptions.of(image("image", image, "registry.example/edl-controller:1"))
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
     * Returns a copy that installs the controller in another namespace. If the controller is for all namespaces, the
     * manifest creates that namespace. If the namespace already exists, applying the manifest adds the label that
     * enforces Pod Security {@code restricted} for all new pods in it.
     *
     * @throws IllegalArgumentException for an invalid namespace name
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
     * Returns a copy whose controller drives only some kinds, and has permissions only for these.
     *
     * @param words names of the kinds, at least one of {@code tfjob}, {@code mxjob} and {@code trainingjob}, which
     *     includes ScaleIn and ScaleOut
     * @throws IllegalArgumentException for no word, or an unknown one
     */
    public ControllerManifest kinds(String... words) {
        Set<String> chosen = new LinkedHashSet<>(List.of(words));
        JobKinds.of(chosen, TfJobOperatorConfig.parse("{}"), JobKinds.INIT_IMAGE);
        return new ControllerManifest(options.kinds(chosen));
    }

    /**
     * Returns a copy with a configuration file in the format of the TfJob operator.
     *
     * @throws IllegalArgumentException for an invalid configuration, with every mistake
     */
    public ControllerManifest config(String yaml) {
        TfJobOperatorConfig.parse(yaml);
        return new ControllerManifest(options.config(yaml));
    }

    /**
     * Returns a copy with another image for the first container of a TrainingJob's launcher, which copies the hosts.
     * The image needs a shell and {@code cp}.
     *
     * @throws IllegalArgumentException for an image that is empty or has spaces
     */
    public ControllerManifest initContainerImage(String other) {
        return new ControllerManifest(
                options.argument("--init-container-image", image("initContainerImage", other, JobKinds.INIT_IMAGE)));
    }

    /**
     * Returns a copy whose controller moves workers off nodes that are about to be taken away
     * ({@link ControllerBuilder#nodeNotices}, with the standard notices). The controller's account then may list and
     * watch nodes, which takes a ClusterRole even for one namespace.
     */
    public ControllerManifest nodeNotices() {
        return new ControllerManifest(options.argument("--node-notices"));
    }

    /** Returns a copy whose controller force-deletes no pod ({@link ControllerBuilder#forceDelete}). */
    public ControllerManifest withoutForceDelete() {
        return new ControllerManifest(options.argument("--no-force-delete"));
    }

    /** Returns a copy with other replica limits; {@link #memory} sets the memory, which must fit the limits. */
    public ControllerManifest replicas(ReplicaQuotas most) {
        return new ControllerManifest(options.argument("--max-replicas-per-job", "" + most.perJob())
                .argument("--max-replicas-per-namespace", "" + most.perNamespace())
                .argument("--max-replicas", "" + most.total()));
    }

    /**
     * Returns a copy whose controller has another memory request and limit. The default is 1Gi; the Java heap takes
     * three quarters of the memory.
     *
     * @param quantity memory as Kubernetes writes it, such as {@code 2Gi}; 0 for no limit
     * @throws IllegalArgumentException for an invalid quantity
     */
    public ControllerManifest memory(String quantity) {
        return new ControllerManifest(
                options.memory(ResourceQuantity.bytes("memory", quantity, "2Gi").text()));
    }

    /**
     * Returns a copy whose controller serves Prometheus metrics on port 8080 of its pods. The image needs the jars of
     * module edl-prometheus.
     */
    public ControllerManifest metrics() {
        return new ControllerManifest(options.argument("--metrics-bind-address", "0.0.0.0:8080"));
    }

    /**
     * Returns a copy whose controller's pods have this PriorityClass, so that the controller is not evicted before the
     * jobs that it drives.
     *
     * @throws IllegalArgumentException for an invalid name
     */
    public ControllerManifest priorityClass(String name) {
        if (!name.matches("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?")) {
            throw new IllegalArgumentException("priorityClass must be the name of a PriorityClass, was \"" + name
                    + "\"; for example system-cluster-critical");
        }
        return new ControllerManifest(options.priorityClass(name));
    }

    /** Returns all objects of the manifest; each object follows the objects that it needs. */
    public List<HasMetadata> objects() {
        List<ManagedKind> kinds = JobKinds.of(options.kinds(), TfJobOperatorConfig.parse("{}"), JobKinds.INIT_IMAGE);
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
        List<PolicyRule> rules = ControllerPermissions.objects(kinds);
        if (options.all()) {
            if (notices) {
                rules.addAll(ControllerPermissions.nodes());
            }
            clusterRole(NAME, rules, objects);
            role(NAME + "-lease", ControllerPermissions.lease(), objects);
        } else {
            rules.addAll(ControllerPermissions.lease());
            role(NAME, rules, objects);
            if (notices) {
                clusterRole(NAME + "-nodes-" + options.namespace(), ControllerPermissions.nodes(), objects);
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

    /** Returns {@link #objects()} as YAML documents for {@code kubectl apply -f}. */
    public String toYaml() {
        return objects().stream()
                .map(object -> "---\n" + CustomObject.of(object).toYaml())
                .collect(Collectors.joining());
    }

    /** Returns one line for each object, such as {@code Deployment edl-system/edl-controller}. */
    @Override
    public String toString() {
        return objects().stream()
                .map(object -> CustomObject.of(object).toString())
                .collect(Collectors.joining("\n"));
    }

    /**
     * Prints a manifest: {@code ControllerManifest IMAGE --namespace NAME}, or {@code IMAGE --all-namespaces}, and the
     * other options of docs/controller.md.
     *
     * <pre>
     * java -cp ... dev.edl.operators.controller.ControllerManifest registry.example/edl-controller:1 --namespace team-a | kubectl apply -f -
     * </pre>
     */
    public static void main(String[] args) throws IOException {
        ManifestMain.run(List.of(args), System.out, System.err).ifPresent(System::exit);
    }
}
