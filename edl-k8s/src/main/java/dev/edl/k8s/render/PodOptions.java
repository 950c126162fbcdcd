package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.OptionSyntax;
import dev.edl.k8s.render.internal.Owner;
import dev.edl.k8s.render.internal.profiles.ProfileOptions;
import dev.edl.k8s.render.internal.profiles.ProfileRenderer;
import dev.edl.plan.JobPlan;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Immutable Kubernetes settings of a job that are not part of its plan, for all pods or for one role's pods.
 *
 * <pre>{@code
 * PodOptions options = PodOptions.builder()
 *     .imagePullSecret("registry")
 *     .queue("team-a")
 *     .role("worker", w -> w.accelerator(Accelerator.nvidia(1)).toleration("nvidia.com/gpu", "NoSchedule"))
 *     .pod(template -> template.edit().editSpec().withTerminationGracePeriodSeconds(5L).endSpec().build())
 *     .build();
 * PodTemplates.of(plan, options).get("worker", 2);
 * }</pre>
 *
 * <p>Thread-safe if the functions given to it are.
 */
public final class PodOptions {
    private static final PodOptions NONE = builder().build();

    private final PodSettings all;
    private final Map<RoleType, PodSettings> roles;
    private final Optional<String> queue;
    private final Optional<Gang> gang;
    private final Map<String, Integer> priorityClasses;
    private final Optional<TensorBoard> tensorBoard;
    private final AcceleratorConfig acceleratorConfig;
    private final Optional<String> tfImage;
    private final Optional<SshKeys> sshKeys;
    private final boolean kubexec;
    private final Optional<Owner> owner;

    private PodOptions(Builder builder) {
        this.all = builder.settings();
        this.roles = new EnumMap<>(RoleType.class);
        builder.roles.forEach((type, role) -> roles.put(type, role.settings()));
        this.queue = builder.queue;
        this.gang = builder.gang;
        this.priorityClasses = Collections.unmodifiableMap(new TreeMap<>(builder.priorityClasses));
        this.tensorBoard = builder.tensorBoard;
        this.acceleratorConfig = builder.acceleratorConfig;
        this.tfImage = builder.tfImage;
        this.sshKeys = builder.sshKeys;
        this.kubexec = builder.kubexec;
        this.owner = builder.owner;
    }

    /** Returns empty options. */
    public static PodOptions none() {
        return NONE;
    }

    /** Returns a builder of empty options. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns a builder with these options. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.say(all);
        roles.forEach((type, settings) -> builder.role(type.id(), role -> role.say(settings)));
        builder.queue = queue;
        builder.gang = gang;
        builder.priorityClasses.putAll(priorityClasses);
        builder.tensorBoard = tensorBoard;
        builder.acceleratorConfig = acceleratorConfig;
        builder.tfImage = tfImage;
        builder.sshKeys = sshKeys;
        builder.kubexec = kubexec;
        builder.owner = owner;
        return builder;
    }

    /**
     * Applies these options to a template from which an operator creates the pods of a role. Adds security settings
     * only if the options set them; otherwise the operator decides about security.
     *
     * @param template pod template with one container, from the custom resource; it is not modified
     */
    public PodTemplateSpec applyTo(RoleType role, PodTemplateSpec template) {
        return PodTemplateOverlay.with(this, role, template);
    }

    /**
     * Returns the options that concern other objects than pods, by name: {@code queue}, {@code gang}, {@code sshKeys} …
     */
    public Map<String, String> nonPodOptions() {
        return PodTemplateOverlay.besidePods(this);
    }

    /**
     * Returns the names of the options that are set:
     * {@code PodOptions imagePullSecret, queue; worker: accelerator, 2 tolerations}.
     */
    @Override
    public String toString() {
        return PodOptionsText.of(this);
    }

    /** Returns the effective settings of a role. */
    PodSettings of(RoleType role) {
        return own(role).over(all);
    }

    PodSettings all() {
        return all;
    }

    /** Returns the settings of the role alone. */
    PodSettings own(RoleType role) {
        return roles.getOrDefault(role, ImmutablePodSettings.builder().build());
    }

    Map<RoleType, PodSettings> roles() {
        return roles;
    }

    Optional<String> queue() {
        return queue;
    }

    Optional<Gang> gang() {
        return gang;
    }

    Map<String, Integer> priorityClasses() {
        return priorityClasses;
    }

    /** Returns the job's TensorBoard, if any. */
    public Optional<TensorBoard> tensorBoard() {
        return tensorBoard;
    }

    AcceleratorConfig acceleratorConfig() {
        return acceleratorConfig;
    }

    /** Returns the image of default parameter servers and of TensorBoard, if set. */
    public Optional<String> tfImage() {
        return tfImage;
    }

    public Optional<SshKeys> sshKeys() {
        return sshKeys;
    }

    public boolean kubexec() {
        return kubexec;
    }

    /** Returns the renderer of a plan's profile, with these options. */
    ProfileRenderer renderer(JobPlan plan) {
        Map<String, String> keys = sshKeys.map(
                        pair -> Map.of("id_rsa", pair.privateKey(), "id_rsa.pub", pair.publicKey()))
                .orElse(Map.of());
        return ProfileRenderer.of(plan, new ProfileOptions(tfImage, kubexec, keys));
    }

    /** Returns the owner reference for objects in the job's namespace; see {@link Builder#owner}. */
    public Optional<OwnerReference> ownerReference() {
        return owner.map(Owner::reference);
    }

    Optional<Owner> owner() {
        return owner;
    }

    /** Builder of the settings of all pods, and of the job's other objects. */
    public static final class Builder extends PodScope<Builder> {
        private final Map<RoleType, Role> roles = new EnumMap<>(RoleType.class);
        private final Map<String, Integer> priorityClasses = new TreeMap<>();
        private Optional<String> queue = Optional.empty();
        private Optional<Gang> gang = Optional.empty();
        private Optional<TensorBoard> tensorBoard = Optional.empty();
        private AcceleratorConfig acceleratorConfig = AcceleratorConfig.none();
        private Optional<String> tfImage = Optional.empty();
        private Optional<SshKeys> sshKeys = Optional.empty();
        private boolean kubexec;
        private Optional<Owner> owner = Optional.empty();

        private Builder() {}

        @Override
        Builder self() {
            return this;
        }

        /**
         * Adds settings of one role's pods. Several calls for the same role add up.
         *
         * @param role the role's name, {@code worker}
         * @param settings sets the role's settings; it is called before this method returns
         * @throws IllegalArgumentException when no role has the name
         */
        public Builder role(String role, Consumer<Role> settings) {
            OptionSyntax.given("a role", role);
            OptionSyntax.given("the settings of a role", settings);
            settings.accept(roles.computeIfAbsent(RoleType.of(role), type -> new Role()));
            return this;
        }

        /**
         * Sets Kueue's queue, in which the job waits for admission. The pods of {@link dev.edl.k8s.KubernetesExecutor}
         * and of {@link Workload#PODS} that the job always has are admitted together, and each worker above the elastic
         * minimum by itself; Jobs are admitted one by one. A job's own label {@code kueue.x-k8s.io/queue-name} has the
         * same effect.
         *
         * @param name name of a LocalQueue in the job's namespace
         */
        public Builder queue(String name) {
            this.queue = Optional.of(OptionSyntax.name("a queue", name, "team-a"));
            return this;
        }

        /** Sets a gang: its pods start together or not at all. */
        public Builder gang(Gang gang) {
            this.gang = Optional.of(OptionSyntax.given("a gang", gang));
            return this;
        }

        /**
         * Creates a PriorityClass with the job, unless the cluster has one of that name.
         *
         * @param name such as {@code high}
         * @param value at most 1,000,000,000; the pod with the larger value is scheduled first
         */
        public Builder priorityClass(String name, int value) {
            if (value > 1_000_000_000
                    || OptionSyntax.given("a priority class", name).startsWith("system-")) {
                throw new IllegalArgumentException("priority class \"" + name + "\" must be at most 1000000000 and not"
                        + " begin with system-, which are Kubernetes' own, was " + value
                        + "; for example high, 1000000");
            }
            priorityClasses.put(OptionSyntax.name("a priority class", name, "high"), value);
            return this;
        }

        /** Adds a TensorBoard to the job. */
        public Builder tensorBoard(TensorBoard tensorBoard) {
            this.tensorBoard = Optional.of(OptionSyntax.given("a TensorBoard", tensorBoard));
            return this;
        }

        /** Sets the host paths and variables of pods with a device, as the TfJob operator adds them. */
        public Builder acceleratorConfig(AcceleratorConfig config) {
            this.acceleratorConfig = OptionSyntax.given("an accelerator configuration", config);
            return this;
        }

        /** Applies the configuration file of a TfJob operator: its accelerators, and its image if it has one. */
        public Builder controllerConfig(TfJobOperatorConfig config) {
            acceleratorConfig(
                    OptionSyntax.given("a controller configuration", config).accelerators());
            config.tfImage().ifPresent(this::tfImage);
            return this;
        }

        /**
         * Sets the image of default parameter servers and of TensorBoard under {@code TFJOB_V1ALPHA1}; the default is
         * {@code tensorflow/tensorflow:1.3.0}.
         */
        public Builder tfImage(String image) {
            if (!OptionSyntax.given("tfImage", image).matches("\\S+")) {
                throw new IllegalArgumentException("tfImage must not be empty and have no spaces, was \"" + image
                        + "\"; for example tensorflow/tensorflow:1.3.0");
            }
            this.tfImage = Optional.of(image);
            return this;
        }

        /**
         * Sets the ssh keys of a launcher under {@code ET_V1ALPHA1}. They become a Secret of the job's name; without
         * keys that Secret must already exist.
         */
        public Builder sshKeys(SshKeys keys) {
            this.sshKeys = Optional.of(OptionSyntax.given("ssh keys", keys));
            return this;
        }

        /**
         * Configures the launcher under {@code ET_V1ALPHA1} to reach its workers by {@code kubectl exec} instead of ssh, without
         * keys and sshd.
         *
         * <p>The launcher's image must have {@code kubectl} on its path. Otherwise an {@link #initContainer} must put
         * it into volume {@code training-job-kubectl}, mounted at {@code /opt/kube}. The operator mounted that volume,
         * and nothing filled it.
         */
        public Builder kubexec() {
            this.kubexec = true;
            return this;
        }

        /**
         * Sets the owner of all objects: the cluster deletes what {@link Manifests} creates when the owner is deleted.
         * The operators own the objects of a custom resource in the same way. A priority class has no owner, because it
         * has no namespace.
         *
         * @param owner owner as read from the cluster, with its uid; an object in the job's namespace, or a
         *     cluster-scoped one
         * @throws IllegalArgumentException when the owner has no apiVersion, kind, name or uid
         */
        public Builder owner(HasMetadata owner) {
            this.owner = Optional.of(Owner.of(OptionSyntax.given("an owner", owner)));
            return this;
        }

        /** Returns the options. The builder may be used further. */
        public PodOptions build() {
            return new PodOptions(this);
        }
    }

    /** Settings of one role's pods. */
    public static final class Role extends PodScope<Role> {
        private Role() {}

        @Override
        Role self() {
            return this;
        }
    }
}
