package dev.edl.plan;

import dev.edl.Framework;
import dev.edl.RoleType;
import dev.edl.SuccessPolicy;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RunPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a job becomes: names, addresses, labels and environment of every replica, and the policies with their defaults
 * resolved. Immutable; its size grows with the roles, a replica is computed when it is asked for.
 *
 * <p>Two plans are equal when their {@link #toYaml()} is, and when the first and the last replica of each role get the same
 * variables of the framework, of which that text has the names only.
 */
public final class JobPlan {
    private final JobSpec spec;
    private final Profile profile;
    private final RunPolicy policy;
    private final List<RolePlan> roles;
    private final EnvRule env;
    private final String runId;
    private final ObjectNames names;
    private final @Nullable AddressResolver addresses;

    private JobPlan(
            JobSpec spec,
            Profile profile,
            RunPolicy policy,
            List<RolePlan> roles,
            EnvRule env,
            String runId,
            @Nullable AddressResolver addresses) {
        this.spec = spec;
        this.profile = profile;
        this.policy = policy;
        this.roles = List.copyOf(roles);
        this.env = env;
        this.runId = runId;
        this.names = ObjectNames.of(profile, spec, runId);
        this.addresses = addresses;
    }

    static JobPlan of(JobSpec spec, Profile profile, RunPolicy policy, List<RolePlan> roles, EnvRule env) {
        // A run id that is not given follows from the rest of the content, in which a placeholder stands for it.
        JobPlan plan =
                new JobPlan(spec, profile, policy, roles, env, spec.runId().orElse("<run>"), null);
        return spec.runId().isPresent() ? plan : plan.withRunId(RunId.of(profile, PlanYaml.content(plan)));
    }

    private JobPlan withRunId(String id) {
        return new JobPlan(spec, profile, policy, roles, env, id, addresses);
    }

    /**
     * The same plan, run id and names included, with its replicas reached at other addresses: those of one machine, for
     * example. Environments follow.
     *
     * <pre>{@code
     * JobPlan local = plan.reachedBy((role, index) -> new Endpoint(role, index, "127.0.0.1", port(role, index)));
     * }</pre>
     */
    public JobPlan reachedBy(AddressResolver addresses) {
        return new JobPlan(spec, profile, policy, roles, env, runId, addresses);
    }

    /** What was planned; {@code Job.of(plan.spec())} is the job. */
    public JobSpec spec() {
        return spec;
    }

    /** The job's name. */
    public String name() {
        return spec.name();
    }

    /** The Kubernetes namespace. */
    public String namespace() {
        return spec.namespace();
    }

    /** Identifies one run: the one given, else the first 8 hexadecimal digits of the SHA-256 of the plan's content. */
    public String runId() {
        return runId;
    }

    /** Whether {@link #runId} was given; else it is derived, and changes with the content. */
    public boolean runIdGiven() {
        return spec.runId().isPresent();
    }

    /** Whose environment the replicas get. */
    public Framework framework() {
        return spec.framework();
    }

    /** The framework's version, when it was named. */
    public Optional<String> frameworkVersion() {
        return spec.frameworkVersion();
    }

    /** Whose names, labels, addresses, ports and environment the plan follows. */
    public Profile profile() {
        return profile;
    }

    /** The user's annotations, sorted. */
    public Map<String, String> annotations() {
        return SortedCopies.copy(spec.annotations());
    }

    /** The roles, in the order given. */
    public List<RolePlan> roles() {
        return roles;
    }

    /** How the job runs and ends; the success policy is present. */
    public RunPolicy policy() {
        return policy;
    }

    /** When the job has succeeded. */
    public SuccessPolicy success() {
        return policy.success().orElseThrow();
    }

    /** The role whose replica with index 0 leads the job: master, chief or launcher, else the workers. */
    public RolePlan leader() {
        return roles.stream().filter(RolePlan::leader).findFirst().orElseThrow();
    }

    /**
     * The role that has to run before a role is started: the workers before a launcher that starts processes on them, which
     * is Horovod's. Empty for a role that waits for none.
     */
    public Optional<RoleType> startsAfter(RoleType type) {
        boolean launches = type == RoleType.LAUNCHER && framework() == Framework.HOROVOD;
        return launches ? role(RoleType.WORKER).map(RolePlan::type) : Optional.empty();
    }

    /** A role of the job. */
    public Optional<RolePlan> role(RoleType type) {
        return roles.stream().filter(r -> r.type() == type).findFirst();
    }

    /**
     * A role of the job by its word.
     *
     * @throws IllegalArgumentException when the job has no such role; the message lists those it has
     */
    public RolePlan role(String role) {
        return roles.stream()
                .filter(r -> r.type().id().equals(role))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "job \"" + name() + "\" has no role \"" + role + "\"; it has " + roleWords()));
    }

    private String roleWords() {
        return roles.stream().map(r -> r.type().id()).collect(Collectors.joining(", "));
    }

    /**
     * A replica that the job starts with, or that scaling may add: its index is its id.
     *
     * @param role the role's word, {@code worker}
     * @param id from 0 to below the largest number of replicas that the role can have
     * @throws IllegalArgumentException when the job has no such role, or never so many replicas
     */
    public ReplicaPlan replica(String role, int id) {
        RolePlan of = role(role);
        if (id < 0 || id >= of.bounds().max()) {
            throw new IllegalArgumentException("job \"" + name() + "\" has no " + role + " " + id
                    + "; ids go from 0 to " + (of.bounds().max() - 1));
        }
        return replica(of.type(), id, id);
    }

    /**
     * A replica of any id, as a relaunch needs it.
     *
     * @param type the role
     * @param id its own id, at least 0
     * @param index the place in the role that it takes, at least 0
     * @throws IllegalArgumentException when the job has no such role
     */
    public ReplicaPlan replica(RoleType type, int id, int index) {
        RolePlan role = role(type.id());
        Map<String, String> variables = new TreeMap<>(role.template().env());
        variables.putAll(env.env(this, role, id, index));
        return new ReplicaPlan(
                replicaName(type, id),
                type,
                id,
                index,
                endpoint(role, index),
                variables,
                role.template().priority().map(p -> p.classFor(index, role.replicas())),
                labels(type, index));
    }

    /** The labels of a replica's object, its profile's beside the user's, sorted. */
    public Map<String, String> labels(RoleType type, int index) {
        Map<String, String> labels = new TreeMap<>(spec.labels());
        labels.putAll(names.labels(type, index));
        return labels;
    }

    /** The name of a replica's object, by the profile: {@code elasticdl-mnist-worker-4}, {@code mnist-worker-4}. */
    public String replicaName(RoleType type, int id) {
        return names.replica(type, Integer.toString(id));
    }

    /** Where the replica with an index is reached. */
    public Endpoint endpoint(RolePlan role, int index) {
        return addresses == null
                ? new Endpoint(role.type(), index, names.host(role.type(), Integer.toString(index)), role.port())
                : addresses.of(role.type(), index);
    }

    /** Where the role's replicas of the start are reached, by index. */
    public List<Endpoint> endpoints(RolePlan role) {
        return IntStream.range(0, role.replicas())
                .mapToObj(index -> endpoint(role, index))
                .toList();
    }

    /**
     * Whether a few replicas of a role tell about all: see {@link EnvRule#followsIndex}. Not when they are reached at
     * addresses of their own.
     */
    public boolean followsIndex() {
        return addresses == null && env.followsIndex();
    }

    /** The labels that select every object of the job. */
    public Map<String, String> selector() {
        return names.selector();
    }

    ObjectNames names() {
        return names;
    }

    Optional<AddressResolver> addresses() {
        return Optional.ofNullable(addresses);
    }

    /** The framework's variables of a replica, without those that the user gave. */
    Map<String, String> frameworkEnv(RolePlan role, int id, int index) {
        return env.env(this, role, id, index);
    }

    /** The labels that the user gave, sorted; a replica has them beside those of its profile. */
    public Map<String, String> userLabels() {
        return SortedCopies.copy(spec.labels());
    }

    /** What the job is made into, as YAML: stable, and of a size that grows with the roles only. */
    public String toYaml() {
        return PlanYaml.of(this);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof JobPlan that && toYaml().equals(that.toYaml()) && ends().equals(that.ends());
    }

    private List<Map<String, String>> ends() {
        return roles.stream()
                .flatMap(role ->
                        IntStream.of(0, role.bounds().max() - 1).mapToObj(index -> frameworkEnv(role, index, index)))
                .toList();
    }

    @Override
    public int hashCode() {
        return toYaml().hashCode();
    }

    /** The table a person wants to read. */
    @Override
    public String toString() {
        return PlanTable.of(this);
    }
}
