package dev.edl.k8s.controller;

import dev.edl.k8s.crd.CustomObject;
import dev.edl.k8s.render.ControllerConfig;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Everything that installs a {@link Controller} in a cluster: the kinds, an account that may do what the controller does and nothing
 * else, and two replicas, of which one leads. A pure function; the same bytes each time.
 *
 * <pre>{@code
 * Files.writeString(
 *     Path.of("controller.yaml"),
 *     ControllerManifest.of("registry.example/edl-controller:1").toYaml());   // kubectl apply -f controller.yaml
 * }</pre>
 *
 * <p>The image has Java 17 or newer as {@code java} and the jars of edl-k8s with all that they need in {@code /edl}. Immutable.
 */
public final class ControllerManifest {
    static final String NAME = "edl-controller";
    static final String CONFIG = "controller_config_file.yaml";
    private static final String RBAC = "rbac.authorization.k8s.io";

    private final String image;
    private final String namespace;
    private final boolean scoped;
    private final Optional<String> config;
    private final Optional<String> initImage;
    private final boolean notices;

    private ControllerManifest(
            String image,
            String namespace,
            boolean scoped,
            Optional<String> config,
            Optional<String> initImage,
            boolean notices) {
        this.image = image;
        this.namespace = namespace;
        this.scoped = scoped;
        this.config = config;
        this.initImage = initImage;
        this.notices = notices;
    }

    /**
     * A controller of all namespaces, itself in a namespace {@code edl-system} of its own.
     *
     * @throws IllegalArgumentException for an image that is empty or has spaces
     */
    public static ControllerManifest of(String image) {
        return new ControllerManifest(
                image("image", image, "registry.example/edl-controller:1"),
                "edl-system",
                false,
                Optional.empty(),
                Optional.empty(),
                false);
    }

    private static String image(String what, String image, String example) {
        if (!image.matches("\\S+")) {
            throw new IllegalArgumentException(
                    what + " must not be empty and have no spaces, was \"" + image + "\"; for example " + example);
        }
        return image;
    }

    /**
     * The same, with the controller in another namespace, which the manifest has as well: one that is there already gets the
     * label that enforces Pod Security {@code restricted} for all new pods in it.
     *
     * @throws IllegalArgumentException for what is no name of a namespace
     */
    public ControllerManifest in(String other) {
        return new ControllerManifest(image, name(other), scoped, config, initImage, notices);
    }

    /**
     * The same, in a namespace that is there, and for the objects of that namespace only, as the operators had it with
     * {@code MY_POD_NAMESPACE}: a Role instead of a ClusterRole.
     *
     * @throws IllegalArgumentException for what is no name of a namespace
     */
    public ControllerManifest scopedTo(String only) {
        return new ControllerManifest(image, name(only), true, config, initImage, notices);
    }

    private static String name(String namespace) {
        if (!namespace.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
            throw new IllegalArgumentException(
                    "a namespace must be a DNS label, was \"" + namespace + "\"; for example edl-system");
        }
        return namespace;
    }

    /**
     * The same, with a configuration in the format of the TfJob operator.
     *
     * @throws IllegalArgumentException with every mistake in it
     */
    public ControllerManifest config(String yaml) {
        ControllerConfig.parse(yaml);
        return new ControllerManifest(image, namespace, scoped, Optional.of(yaml), initImage, notices);
    }

    /**
     * The same, with another image than {@code alpine:3.10} for the first container of a TrainingJob's launcher, which copies the
     * hosts: one with a shell and {@code cp}.
     *
     * @throws IllegalArgumentException for an image that is empty or has spaces
     */
    public ControllerManifest initContainerImage(String other) {
        String checked = image("initContainerImage", other, Kinds.INIT_IMAGE);
        return new ControllerManifest(image, namespace, scoped, config, Optional.of(checked), notices);
    }

    /**
     * The same, where workers leave nodes that are about to go ({@link ControllerBuilder#nodeNotices}, by the standard notices):
     * the account may list and watch nodes, by a ClusterRole also where it has only a Role otherwise.
     */
    public ControllerManifest nodeNotices() {
        return new ControllerManifest(image, namespace, scoped, config, initImage, true);
    }

    /** Every object, what others need before those that need it. */
    public List<HasMetadata> objects() {
        List<ObjectKind> kinds = Kinds.all(ControllerConfig.parse("{}"));
        List<HasMetadata> objects = new ArrayList<>();
        kinds.forEach(kind -> objects.add(kind.definition()));
        if (!scoped) {
            objects.add(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName(namespace)
                    .withLabels(Map.of("pod-security.kubernetes.io/enforce", "restricted"))
                    .endMetadata()
                    .build());
        }
        objects.add(new ServiceAccountBuilder().withMetadata(metadata(NAME)).build());
        List<PolicyRule> rules = ControllerRules.objects(kinds);
        if (scoped) {
            rules.addAll(ControllerRules.lease());
            role(NAME, rules, objects);
            if (notices) {
                clusterRole(NAME + "-nodes-" + namespace, ControllerRules.nodes(), objects);
            }
        } else {
            if (notices) {
                rules.addAll(ControllerRules.nodes());
            }
            clusterRole(NAME, rules, objects);
            role(NAME + "-lease", ControllerRules.lease(), objects);
        }
        config.ifPresent(yaml -> objects.add(new ConfigMapBuilder()
                .withMetadata(metadata(NAME + "-config"))
                .withData(Map.of(CONFIG, yaml))
                .build()));
        objects.add(ControllerDeployment.of(metadata(NAME), image, arguments()));
        return objects;
    }

    private List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        if (!scoped) {
            arguments.add("--all-namespaces");
        }
        if (config.isPresent()) {
            arguments.addAll(List.of("--config", ControllerDeployment.FOLDER + "/" + CONFIG));
        }
        initImage.ifPresent(other -> arguments.addAll(List.of("--init-container-image", other)));
        if (notices) {
            arguments.add("--node-notices");
        }
        return arguments;
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
                .withNamespace(namespace)
                .build();
    }

    private ObjectMeta metadata(String name) {
        return new ObjectMetaBuilder().withName(name).withNamespace(namespace).build();
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
     * Prints a manifest: {@code ControllerManifest IMAGE [--namespace NAME] [--scoped NAME] [--config FILE]
     * [--init-container-image IMAGE] [--node-notices]}.
     *
     * <pre>
     * java -cp ... dev.edl.k8s.controller.ControllerManifest registry.example/edl-controller:1 | kubectl apply -f -
     * </pre>
     */
    public static void main(String[] args) throws IOException {
        ManifestMain.run(List.of(args), System.out, System.err).ifPresent(System::exit);
    }
}
