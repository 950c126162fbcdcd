package dev.edl.testkit;

import dev.edl.Backoff;
import dev.edl.CleanupPolicy;
import dev.edl.Framework;
import dev.edl.Job;
import dev.edl.SuccessPolicy;
import dev.edl.plan.Profile;
import dev.edl.spec.RoleSpec;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Assertions on a job as it was asked for; what it becomes is on its plan: {@link #plan}. */
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

    /** Equal to another job; the failure shows by which lines of its YAML it is not. */
    @Override
    public JobAssert isEqualTo(@Nullable Object expected) {
        if (actual == null || !(expected instanceof Job other) || other.equals(actual)) {
            return super.isEqualTo(expected);
        }
        return differs("job", PlaintextSecrets.differences(other.toYaml(), actual.toYaml()));
    }

    /** The job's name. */
    public JobAssert hasName(String name) {
        return same("name", name, job().name());
    }

    /** The Kubernetes namespace. */
    public JobAssert hasNamespace(String namespace) {
        return same("namespace", namespace, job().namespace());
    }

    /** Whose environment the replicas expect. */
    public JobAssert hasFramework(Framework framework) {
        return same("framework", framework, job().framework());
    }

    /** The framework's version in the image, when it was named: {@code "2.15"}. */
    public JobAssert hasFrameworkVersion(String version) {
        return present("framework version", version, job().spec().frameworkVersion());
    }

    /** The run id that was given. */
    public JobAssert hasRunId(String runId) {
        return present("run id", runId, job().spec().runId());
    }

    /** All roles, by their words, in the order given: {@code hasRoles("master", "ps", "worker")}. */
    public JobAssert hasRoles(String... roles) {
        return same("roles", listed(roles), words());
    }

    private List<String> words() {
        return job().roles().stream().map(role -> role.type().id()).toList();
    }

    /** Returns an assertion about a role, by its word: {@code worker}. */
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

    /** Asserts on a role and stays with the job. */
    public JobAssert role(String role, Consumer<RoleAssert> assertions) {
        return given(role(role), assertions);
    }

    /** A label of everything that the job makes. */
    public JobAssert hasLabel(String key, String value) {
        return entry("label", job().spec().labels(), key, value);
    }

    /** A label that the job does not set. */
    public JobAssert doesNotHaveLabel(String key) {
        return noEntry("label", job().spec().labels(), key);
    }

    /** An annotation of everything that the job makes. */
    public JobAssert hasAnnotation(String key, String value) {
        return entry("annotation", job().spec().annotations(), key, value);
    }

    /** An annotation that the job does not set. */
    public JobAssert doesNotHaveAnnotation(String key) {
        return noEntry("annotation", job().spec().annotations(), key);
    }

    /** When the job has succeeded, as it was given. */
    public JobAssert hasSuccess(SuccessPolicy policy) {
        return present("success policy", policy, job().spec().policy().success());
    }

    /** What is removed at the end. */
    public JobAssert hasCleanup(CleanupPolicy policy) {
        return same("cleanup policy", policy, job().spec().policy().cleanup());
    }

    /** How long the job may run. */
    public JobAssert hasDeadline(Duration deadline) {
        return present("deadline", deadline, job().spec().policy().deadline());
    }

    /** The job may run for good. */
    public JobAssert hasNoDeadline() {
        return absent("deadline", job().spec().policy().deadline());
    }

    /** How long the ended job is kept. */
    public JobAssert hasTtl(Duration ttl) {
        return present("time to live", ttl, job().spec().policy().ttl());
    }

    /** The ended job is kept for good. */
    public JobAssert hasNoTtl() {
        return absent("time to live", job().spec().policy().ttl());
    }

    /** How long a relaunch waits. */
    public JobAssert hasBackoff(Backoff backoff) {
        return same(
                "backoff",
                PolicyWords.of(backoff),
                PolicyWords.of(job().spec().policy().backoff()));
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
     * Returns an assertion about the job's plan by the names of another system.
     *
     * @throws dev.edl.plan.PlanException when the job cannot be planned so
     */
    public PlanAssert plan(Profile profile) {
        return next(new PlanAssert(job().plan(profile)));
    }
}
