package dev.edl.testkit;

import dev.edl.Job;
import dev.edl.plan.Profile;
import dev.edl.spec.Backoff;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.Framework;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.SuccessPolicy;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Assertions on the settings of a job; {@link #plan} returns assertions on the job's plan. */
public final class JobAssert extends EdlAssert<JobAssert, Job> {
    JobAssert(@Nullable Job actual) {
        super(actual, JobAssert.class);
    }

    @Override
    protected String subject() {
        return "job \"" + actual.name() + "\"";
    }

    private Job job() {
        isNotNull();
        return actual;
    }

    /** Verifies that the job equals another one; the failure shows the lines of YAML that differ. */
    @Override
    public JobAssert isEqualTo(@Nullable Object expected) {
        if (actual == null || !(expected instanceof Job other) || other.equals(actual)) {
            return super.isEqualTo(expected);
        }
        return differs("job", PlaintextSecrets.differences(other.toYaml(), actual.toYaml()));
    }

    /** Verifies the job's name. */
    public JobAssert hasName(String name) {
        return same("name", name, job().name());
    }

    /** Verifies the Kubernetes namespace. */
    public JobAssert hasNamespace(String namespace) {
        return same("namespace", namespace, job().namespace());
    }

    /** Verifies the framework. */
    public JobAssert hasFramework(Framework framework) {
        return same("framework", framework, job().framework());
    }

    /** Verifies the framework's version that the job sets, such as {@code "2.15"}; fails if it sets none. */
    public JobAssert hasFrameworkVersion(String version) {
        return present("framework version", version, job().spec().frameworkVersion());
    }

    /** Verifies the run id that the job sets; fails if it sets none. */
    public JobAssert hasRunId(String runId) {
        return present("run id", runId, job().spec().runId());
    }

    /** Verifies the ids of all roles, in the order of the job: {@code hasRoles("master", "ps", "worker")}. */
    public JobAssert hasRoles(String... roles) {
        return same("roles", listed(roles), words());
    }

    private List<String> words() {
        return job().roles().stream().map(role -> role.type().id()).toList();
    }

    /** Returns an assertion about a role such as {@code worker}. */
    public RoleAssert role(String role) {
        for (RoleSpec spec : job().roles()) {
            if (spec.type().id().equals(role)) {
                RoleSpec effective = RoleSpec.builder()
                        .from(spec)
                        .template(actual.spec().effective(spec))
                        .build();
                return next(new RoleAssert(subject(), effective));
            }
        }
        refuse("expected a role \"" + role + "\"" + suggestion(role, words()));
        return mute(RoleAssert.none(subject()));
    }

    /** Runs assertions on a role and returns this assertion about the job. */
    public JobAssert role(String role, Consumer<RoleAssert> assertions) {
        return given(role(role), assertions);
    }

    /** Verifies a label of all objects of the job. */
    public JobAssert hasLabel(String key, String value) {
        return entry("label", job().spec().labels(), key, value);
    }

    /** Verifies that the job does not set a label. */
    public JobAssert doesNotHaveLabel(String key) {
        return noEntry("label", job().spec().labels(), key);
    }

    /** Verifies an annotation of all objects of the job. */
    public JobAssert hasAnnotation(String key, String value) {
        return entry("annotation", job().spec().annotations(), key, value);
    }

    /** Verifies that the job does not set an annotation. */
    public JobAssert doesNotHaveAnnotation(String key) {
        return noEntry("annotation", job().spec().annotations(), key);
    }

    /** Verifies the success policy that the job sets; fails if it sets none. */
    public JobAssert hasSuccess(SuccessPolicy policy) {
        return present("success policy", policy, job().spec().policy().success());
    }

    /** Verifies the policy for which replicas are deleted when the job has ended. */
    public JobAssert hasCleanup(CleanupPolicy policy) {
        return same("cleanup policy", policy, job().spec().policy().cleanup());
    }

    /** Verifies how long the job may run. */
    public JobAssert hasDeadline(Duration deadline) {
        return present("deadline", deadline, job().spec().policy().deadline());
    }

    /** Verifies that the job may run without limit. */
    public JobAssert hasNoDeadline() {
        return absent("deadline", job().spec().policy().deadline());
    }

    /** Verifies how long the ended job is kept. */
    public JobAssert hasTtl(Duration ttl) {
        return present("time to live", ttl, job().spec().policy().ttl());
    }

    /** Verifies that the ended job is kept forever. */
    public JobAssert hasNoTtl() {
        return absent("time to live", job().spec().policy().ttl());
    }

    /** Verifies the delays before relaunches of the same replica. */
    public JobAssert hasBackoff(Backoff backoff) {
        return same(
                "backoff",
                BackoffText.of(backoff),
                BackoffText.of(job().spec().policy().backoff()));
    }

    /**
     * Returns an assertion about the job's plan.
     *
     * @throws dev.edl.plan.PlanException when the job cannot be planned
     */
    public PlanAssert plan() {
        return next(new PlanAssert(job().plan()));
    }

    /**
     * Returns an assertion about the job's plan with the names of another system.
     *
     * @throws dev.edl.plan.PlanException when the job cannot be planned in this profile
     */
    public PlanAssert plan(Profile profile) {
        return next(new PlanAssert(job().plan(profile)));
    }
}
