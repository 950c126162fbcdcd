package dev.edl.plan;

import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleType;
import dev.edl.spec.RunPolicy;
import dev.edl.spec.SuccessPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Plan of a job: names, addresses, labels and environment of every replica, and the policies with resolved defaults.
 * Immutable. Its size is proportional to the number of roles; replicas are computed on request.
 *
 * <p>Two plans are equal when their {@link #toYaml()} is equal and the first and last replica of each role have equal
 * framework variables. The YAML contains only the names of these variables.
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
        // Without an explicit run id, the id is derived from the rest of the content, with a placeholder in its place.
        JobPlan plan =
                new JobPlan(spec, profile, policy, roles, env, spec.runId().orElse("<run>"), null);
        return spec.runId().isPresent() ? plan : plan.withRunId(RunId.of(profile, PlanYaml.content(plan)));
    }

    private JobPlan withRunId(String id) {
        return new JobPlan(spec, profile, policy, roles, env, id, addresses);
    }

    /**
     * Returns a copy of this plan with other replica addresses, for example those of one machine. Run id and names
     * stay; the environment variables contain the new addresses.
     *
     * <pre>{@code
     * JobPlan local = plan.reachedBy((role, index) -> new Endpoint(role, index, "127.0.0.1", port(role, index)));
     * }</pre>
     */
    public JobPlan reachedBy(AddressResolver addresses) {
        return new JobPlan(spec, profile, policy, roles, env, runId, addresses);
    }

    /** Returns the planned spec; {@code Job.of(plan.spec())} is the job. */
    public JobSpec spec() {
        return spec;
    }

    /** Returns the job's name. */
    public String name() {
        return spec.name();
    }

    /** Returns the Kubernetes namespace. */
    public String namespace() {
        return spec.namespace();
    }

    /**
     * Returns the run id that the job sets, or one that is derived from the SHA-256 of the plan's content. A derived
     * one has 8 hexadecimal digits, or 4 letters and digits in {@link Profile#TFJOB_V1ALPHA1} and
     * {@link Profile#MXJOB_V1BETA1}.
     */
    public String runId() {
        return runId;
    }

    /**
     * Returns whether the job sets the {@link #runId}. If not, the run id is derived from the plan's content and
     * changes with it.
     */
    public boolean runIdGiven() {
        return spec.runId().isPresent();
    }

    /** Returns the framework, which determines the environment of the replicas. */
    public Framework framework() {
        return spec.framework();
    }

    /** Returns the framework's version; empty when the job sets none. */
    public Optional<String> frameworkVersion() {
        return spec.frameworkVersion();
    }

    /** Returns the profile, which determines names, labels, addresses and environment. */
    public Profile profile() {
        return profile;
    }

    /** Returns the user's annotations, sorted. */
    public Map<String, String> annotations() {
        return SortedMapCopies.copy(spec.annotations());
    }

    /** Returns the roles in the order of the job. */
    public List<RolePlan> roles() {
        return roles;
    }

    /**
     * Returns the job's policies for success, cleanup, deadline, time to live and backoff. The success policy is always
     * set.
     */
    public RunPolicy policy() {
        return policy;
    }

    /** Returns the condition under which the job has succeeded. */
    public SuccessPolicy success() {
        return policy.success().orElseThrow();
    }

    /** Returns the role whose replica with index 0 leads the job: master, chief or launcher, otherwise the workers. */
    public RolePlan leader() {
        return roles.stream().filter(RolePlan::leader).findFirst().orElseThrow();
    }

    /**
     * Returns the role whose replicas must run before replicas of the given role are created; empty when there is none.
     * Only Horovod's launcher has one: the workers, on which it starts processes.
     */
    public Optional<RoleType> startsAfter(RoleType type) {
        boolean launches = type == RoleType.LAUNCHER && framework() == Framework.HOROVOD;
        return launches ? role(RoleType.WORKER).map(RolePlan::type) : Optional.empty();
    }

    /** Returns the role of a type; empty when the job has none. */
    public Optional<RolePlan> role(RoleType type) {
        return roles.stream().filter(r -> r.type() == type).findFirst();
    }

    /**
     * Returns the role with a name, such as {@code worker}.
     *
     * @param role the name of the role
     * @throws IllegalArgumentException when the job has no such role; the message lists its roles
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
     * Returns the plan of a replica that was not relaunched, so that its index equals its id.
     *
     * @param role the name of the role, for example {@code worker}
     * @param id the replica's id, at least 0 and less than the role's maximum number of replicas
     * @throws IllegalArgumentException when the job has no such role, or the id is out of range
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
     * Returns the plan of a replica that may have been relaunched, so that its id can differ from its index.
     *
     * @param type the role
     * @param id the replica's id, at least 0
     * @param index the replica's index within the role, at least 0
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

    /** Returns the labels of a replica's object, sorted: those of the profile and of the user. */
    public Map<String, String> labels(RoleType type, int index) {
        Map<String, String> labels = new TreeMap<>(spec.labels());
        labels.putAll(names.labels(type, index));
        return labels;
    }

    /**
     * Returns the name of a replica's object in the profile: {@code elasticdl-mnist-worker-4}, {@code mnist-worker-4}.
     */
    public String replicaName(RoleType type, int id) {
        return names.replica(type, Integer.toString(id));
    }

    /** Returns the address of the replica with an index. */
    public Endpoint endpoint(RolePlan role, int index) {
        return addresses == null
                ? new Endpoint(role.type(), index, names.host(role.type(), Integer.toString(index)), role.port())
                : addresses.of(role.type(), index);
    }

    /** Returns the addresses of the role's initial replicas, by index. */
    public List<Endpoint> endpoints(RolePlan role) {
        return IntStream.range(0, role.replicas())
                .mapToObj(index -> endpoint(role, index))
                .toList();
    }

    /**
     * Returns whether it suffices to compare a few replicas of a role before one pod template is used for all; see
     * {@link EnvRule#followsIndex}. False when an {@link AddressResolver} sets the addresses.
     */
    public boolean followsIndex() {
        return addresses == null && env.followsIndex();
    }

    /** Returns the labels that select every object of the job. */
    public Map<String, String> selector() {
        return names.selector();
    }

    ObjectNames names() {
        return names;
    }

    Optional<AddressResolver> addresses() {
        return Optional.ofNullable(addresses);
    }

    /** Returns the framework's variables of a replica, without the user's. */
    Map<String, String> frameworkEnv(RolePlan role, int id, int index) {
        return env.env(this, role, id, index);
    }

    /** Returns the user's labels, sorted, without those of the profile. */
    public Map<String, String> userLabels() {
        return SortedMapCopies.copy(spec.labels());
    }

    /** Returns the plan as stable YAML. Its size is proportional to the number of roles. */
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

    /** Returns a table for people. */
    @Override
    public String toString() {
        return PlanTable.of(this);
    }
}
