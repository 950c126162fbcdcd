package dev.edl.testkit;

import dev.edl.env.HorovodHosts;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.plan.RolePlan;
import dev.edl.spec.Backoff;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.Framework;
import dev.edl.spec.Priority;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleType;
import dev.edl.spec.SuccessPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Assertions on the plan of a job: names, addresses, priorities and environment of its replicas. */
public final class PlanAssert extends EdlAssert<PlanAssert, JobPlan> {
    PlanAssert(@Nullable JobPlan actual) {
        super(actual, PlanAssert.class);
    }

    @Override
    protected String subject() {
        return "plan of job \"" + actual.name() + "\"";
    }

    private JobPlan plan() {
        isNotNull();
        return actual;
    }

    /**
     * Verifies that the plan equals another one. The failure shows the differing lines of the plans' YAML and
     * environments, because a plan's {@code toString} shows only a part.
     */
    @Override
    public PlanAssert isEqualTo(@Nullable Object expected) {
        if (actual == null || !(expected instanceof JobPlan other) || other.equals(actual)) {
            return super.isEqualTo(expected);
        }
        return differs("plan", PlaintextSecrets.differences(PlanText.of(other), PlanText.of(actual)));
    }

    /** Verifies the job's name. */
    public PlanAssert hasName(String name) {
        return same("name", name, plan().name());
    }

    /** Verifies the Kubernetes namespace. */
    public PlanAssert hasNamespace(String namespace) {
        return same("namespace", namespace, plan().namespace());
    }

    /** Verifies the run id, explicit or derived. */
    public PlanAssert hasRunId(String runId) {
        return same("run id", runId, plan().runId());
    }

    /** Verifies the framework. */
    public PlanAssert hasFramework(Framework framework) {
        return same("framework", framework, plan().framework());
    }

    /** Verifies the framework's version that the job sets, such as {@code "2.15"}; fails if it sets none. */
    public PlanAssert hasFrameworkVersion(String version) {
        return present("framework version", version, plan().frameworkVersion());
    }

    /** Verifies the profile, which determines names, labels and defaults. */
    public PlanAssert hasProfile(Profile profile) {
        return same("profile", profile, plan().profile());
    }

    /** Verifies the ids of all roles, in the order of the job: {@code hasRoles("master", "ps", "worker")}. */
    public PlanAssert hasRoles(String... roles) {
        return same("roles", listed(roles), words());
    }

    private List<String> words() {
        return plan().roles().stream().map(role -> role.type().id()).toList();
    }

    /** Verifies the role whose replica 0 leads the job. */
    public PlanAssert hasLeader(String role) {
        return same("leader", role, plan().leader().type().id());
    }

    /** Verifies the policy for when the job has succeeded, explicit or by default. */
    public PlanAssert hasSuccess(SuccessPolicy policy) {
        return same("success policy", policy, plan().success());
    }

    /** Verifies the policy for which replicas are deleted when the job has ended. */
    public PlanAssert hasCleanup(CleanupPolicy policy) {
        return same("cleanup policy", policy, plan().policy().cleanup());
    }

    /** Verifies how long the job may run. */
    public PlanAssert hasDeadline(Duration deadline) {
        return present("deadline", deadline, plan().policy().deadline());
    }

    /** Verifies that the job may run without limit. */
    public PlanAssert hasNoDeadline() {
        return absent("deadline", plan().policy().deadline());
    }

    /** Verifies how long the ended job is kept. */
    public PlanAssert hasTtl(Duration ttl) {
        return present("time to live", ttl, plan().policy().ttl());
    }

    /** Verifies that the ended job is kept forever. */
    public PlanAssert hasNoTtl() {
        return absent("time to live", plan().policy().ttl());
    }

    /** Verifies the delays before relaunches of the same replica. */
    public PlanAssert hasBackoff(Backoff backoff) {
        return same(
                "backoff",
                BackoffText.of(backoff),
                BackoffText.of(plan().policy().backoff()));
    }

    /** Returns an assertion about a role such as {@code worker}. */
    public RoleAssert role(String role) {
        return found(role)
                .map(found -> next(new RoleAssert(subject(), spec(found))))
                .orElseGet(() -> mute(RoleAssert.none(subject())));
    }

    private static RoleSpec spec(RolePlan found) {
        RoleSpec.Builder spec =
                RoleSpec.builder().type(found.type()).replicas(found.replicas()).template(found.template());
        if (found.elastic()) {
            spec.elastic(found.bounds());
        }
        return spec.build();
    }

    /** Runs assertions on a role and returns this assertion about the plan. */
    public PlanAssert role(String role, Consumer<RoleAssert> assertions) {
        return given(role(role), assertions);
    }

    /**
     * Returns an assertion about a replica.
     *
     * @param role id of the role, such as {@code worker}
     * @param id id of the replica, at least 0 and below the role's maximum number of replicas
     */
    public ReplicaAssert replica(String role, int id) {
        Optional<RolePlan> found = found(role);
        int max = found.map(plan -> plan.bounds().max()).orElse(0);
        if (id >= 0 && id < max) {
            return next(new ReplicaAssert(actual.replica(role, id)));
        }
        if (found.isPresent()) {
            refuse("expected a replica " + role + " " + id + ", but ids of " + role + " go from 0 to " + (max - 1));
        }
        return mute(new ReplicaAssert(actual.replica(actual.leader().type(), 0, 0)));
    }

    /** Runs assertions on a replica and returns this assertion about the plan. */
    public PlanAssert replica(String role, int id, Consumer<ReplicaAssert> assertions) {
        return given(replica(role, id), assertions);
    }

    /** Runs assertions on each initial replica of a role, in the order of ids. */
    public PlanAssert eachReplica(String role, Consumer<ReplicaAssert> assertions) {
        found(role)
                .ifPresent(found -> IntStream.range(0, found.replicas()).forEach(id -> replica(role, id, assertions)));
        return this;
    }

    /** Verifies the addresses {@code host:port} of all initial replicas of a role, in the order of indexes. */
    public PlanAssert hasEndpoints(String role, String... addresses) {
        return found(role)
                .map(found -> same(
                        "endpoints of " + role,
                        listed(addresses),
                        actual.endpoints(found).stream().map(Endpoint::address).toList()))
                .orElse(this);
    }

    /**
     * Verifies the PriorityClass of each initial replica of a role, in the order of ids; {@code ""} for a replica
     * without one.
     */
    public PlanAssert hasPriorityClasses(String role, String... classes) {
        return found(role)
                .map(found -> same("priority classes of " + role, listed(classes), priorityClasses(found)))
                .orElse(this);
    }

    /**
     * Returns the PriorityClass of each initial replica. Does not create the replicas' plans, whose environments may
     * grow with the number of replicas.
     */
    private static List<String> priorityClasses(RolePlan role) {
        Optional<Priority> priority = role.template().priority();
        return IntStream.range(0, role.replicas())
                .mapToObj(
                        id -> priority.map(p -> p.classFor(id, role.replicas())).orElse(""))
                .toList();
    }

    /**
     * Returns an assertion about the hosts of a Horovod or MPI job: its workers and the number of processes on each.
     */
    public HorovodHostsAssert horovodHosts() {
        String owner = subject() + ", hosts";
        return found(RoleType.WORKER.id())
                .map(workers -> next(new HorovodHostsAssert(owner, HorovodHosts.of(actual))))
                .orElseGet(() -> mute(new HorovodHostsAssert(owner, new HorovodHosts(List.of()))));
    }

    /** Verifies that the plan's text equals the golden file of the running test; see {@link Golden#ofTest}. */
    public PlanAssert matchesGolden() {
        return matches(Golden.ofTest());
    }

    /**
     * Verifies that the plan's text equals a golden file below {@code src/test/resources}, such as
     * {@code "plans/mnist.yaml"}; see {@link Golden#named}.
     */
    public PlanAssert matchesGolden(String name) {
        return matches(Golden.named(name));
    }

    /** Verifies that the plan's text equals a golden file at any path; see {@link Golden#at}. */
    public PlanAssert matchesGolden(Path file) {
        return matches(Golden.at(file));
    }

    private PlanAssert matches(Golden golden) {
        isNotNull();
        return guarded(() -> {
            noSecrets(PlaintextSecrets.in(actual));
            golden.check(described(), PlanText.of(actual));
        });
    }

    private Optional<RolePlan> found(String role) {
        for (RolePlan plan : plan().roles()) {
            if (plan.type().id().equals(role)) {
                return Optional.of(plan);
            }
        }
        refuse("expected a role \"" + role + "\"" + suggestion(role, words()));
        return Optional.empty();
    }
}
