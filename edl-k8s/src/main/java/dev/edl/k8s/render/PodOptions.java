package dev.edl.k8s.render;

import dev.edl.RoleType;
import dev.edl.k8s.render.internal.ImmutablePodSettings;
import dev.edl.k8s.render.internal.OptionSyntax;
import dev.edl.k8s.render.internal.Owner;
import dev.edl.k8s.render.internal.PodSettings;
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
 * What only Kubernetes has a word for, given beside a plan: of all pods, or of one role's.
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
 * <p>Immutable; safe for use by several threads as far as the functions given to it are.
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

    /** Nothing is said. */
    public static PodOptions none() {
        return NONE;
    }

    /** Starts options that say nothing. */
    public static Builder builder() {
        return new Builder();
    }

    /** Starts options that say what these say, and more. */
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
     * A template of which an operator makes the pods of a role, with what these options say of them. Nothing is said of
     * security unless the options do: it is the operator's matter.
     *
     * @param template a pod with one container and what the job says of it; it is not changed
     */
    public PodTemplateSpec applyTo(RoleType role, PodTemplateSpec template) {
        return PodTemplateOverlay.with(this, role, template);
    }

    /** What these options say of other objects than pods, by its name: {@code queue}, {@code gang}, {@code sshKeys} … */
    public Map<String, String> nonPodOptions() {
        return PodTemplateOverlay.besidePods(this);
    }

    /** What is said, by its name: {@code PodOptions imagePullSecret, queue; worker: accelerator, 2 tolerations}. */
    @Override
    public String toString() {
        return PodOptionsText.of(this);
    }

    /** What holds for a role. */
    PodSettings of(RoleType role) {
        return own(role).over(all);
    }

    PodSettings all() {
        return all;
    }

    /** What was said of the role alone. */
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

    /** The TensorBoard beside the job, when there is one. */
    public Optional<TensorBoard> tensorBoard() {
        return tensorBoard;
    }

    AcceleratorConfig acceleratorConfig() {
        return acceleratorConfig;
    }

    /** The image of default parameter servers and of TensorBoard, when one was given. */
    public Optional<String> tfImage() {
        return tfImage;
    }

    public Optional<SshKeys> sshKeys() {
        return sshKeys;
    }

    public boolean kubexec() {
        return kubexec;
    }

    /** What refers to the owner, for an object of the job's namespace; see {@link Builder#owner}. */
    public Optional<OwnerReference> ownerReference() {
        return owner.map(Owner::reference);
    }

    Optional<Owner> owner() {
        return owner;
    }

    /** The settings of all pods, and what the job has beside its pods. */
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
         * Settings of one role's pods; several calls add up.
         *
         * @param role the role's word, {@code worker}
         * @param settings called at once
         * @throws IllegalArgumentException for a word that is no role
         */
        public Builder role(String role, Consumer<Role> settings) {
            OptionSyntax.given("a role", role);
            OptionSyntax.given("the settings of a role", settings);
            settings.accept(roles.computeIfAbsent(RoleType.of(role), type -> new Role()));
            return this;
        }

        /**
         * Kueue's queue, in which the job waits for its place. With {@link Workload#PODS} the pods are admitted
         * together; of Jobs each is admitted on its own. A job's own label {@code kueue.x-k8s.io/queue-name} says the same.
         *
         * @param name of a LocalQueue in the job's namespace
         */
        public Builder queue(String name) {
            this.queue = Optional.of(OptionSyntax.name("a queue", name, "team-a"));
            return this;
        }

        /** The pods start together or not at all. */
        public Builder gang(Gang gang) {
            this.gang = Optional.of(OptionSyntax.given("a gang", gang));
            return this;
        }

        /**
         * A PriorityClass to be made with the job, where the cluster has none of that name.
         *
         * @param name such as {@code high}
         * @param value at most 1,000,000,000; of two pods the one with the larger value comes first
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

        /** A TensorBoard beside the job. */
        public Builder tensorBoard(TensorBoard tensorBoard) {
            this.tensorBoard = Optional.of(OptionSyntax.given("a TensorBoard", tensorBoard));
            return this;
        }

        /** What pods with a device get from their node, as the TfJob operator adds it. */
        public Builder acceleratorConfig(AcceleratorConfig config) {
            this.acceleratorConfig = OptionSyntax.given("an accelerator configuration", config);
            return this;
        }

        /** The configuration file of a TfJob operator: its accelerators, and its image where it names one. */
        public Builder controllerConfig(ControllerConfig config) {
            acceleratorConfig(
                    OptionSyntax.given("a controller configuration", config).accelerators());
            config.tfImage().ifPresent(this::tfImage);
            return this;
        }

        /**
         * The image of default parameter servers and of TensorBoard under {@code TFJOB_V1ALPHA1};
         * {@code tensorflow/tensorflow:1.3.0} unless given.
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
         * The keys of a launcher under {@code ET_V1ALPHA1}; they become the Secret of the job's name, which has to be there
         * already unless they are given.
         */
        public Builder sshKeys(SshKeys keys) {
            this.sshKeys = Optional.of(OptionSyntax.given("ssh keys", keys));
            return this;
        }

        /**
         * The launcher under {@code ET_V1ALPHA1} reaches its workers by {@code kubectl exec} instead of ssh: no keys, no
         * sshd. The launcher's image has {@code kubectl} on its path, or an {@link #initContainer} puts it into the volume
         * {@code training-job-kubectl}, which is at {@code /opt/kube}; the operator knew that volume only, and nothing filled it.
         */
        public Builder kubexec() {
            this.kubexec = true;
            return this;
        }

        /**
         * The object with which everything goes: the cluster deletes what {@link Manifests} makes when it is deleted. As
         * the operators own what they make of a custom resource; a priority class, which is of no namespace, is left out.
         *
         * @param owner as the cluster has it, with its uid; in the job's namespace, or in none
         * @throws IllegalArgumentException when it has no apiVersion, kind, name or uid
         */
        public Builder owner(HasMetadata owner) {
            this.owner = Optional.of(Owner.of(OptionSyntax.given("an owner", owner)));
            return this;
        }

        /** The options; the builder may be used further. */
        public PodOptions build() {
            return new PodOptions(this);
        }
    }

    /** The settings of one role's pods. */
    public static final class Role extends PodScope<Role> {
        private Role() {}

        @Override
        Role self() {
            return this;
        }
    }
}
