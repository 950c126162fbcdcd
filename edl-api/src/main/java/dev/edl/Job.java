package dev.edl;

import dev.edl.env.EnvRules;
import dev.edl.explain.JobExplanation;
import dev.edl.explain.internal.Explainer;
import dev.edl.explain.internal.ImpliedRoles;
import dev.edl.internal.job.InputFormat;
import dev.edl.internal.job.JobName;
import dev.edl.internal.job.JobRules;
import dev.edl.internal.job.JobWriter;
import dev.edl.internal.text.DataNodeReader;
import dev.edl.internal.text.JsonText;
import dev.edl.internal.text.YamlStyle;
import dev.edl.internal.text.YamlText;
import dev.edl.plan.EnvRule;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Planner;
import dev.edl.plan.Profile;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A distributed training job: what is to run, never where.
 *
 * <pre>{@code
 * Job job = Job.named("test-mnist")
 *     .image("registry.example/acme/mnist:1")
 *     .master()
 *     .ps(2).request("cpu=2,memory=2048Mi")
 *     .workers(4).elastic(1, 8).priority(LOW)
 *     .build();
 * Job larger = job.toBuilder().workers(6).build();   // all else as before
 * Job.fromYaml(job.toYaml()).equals(job);            // true
 * }</pre>
 *
 * <p>A job is valid: a caller needs no further check. It is a value: jobs with the same content are equal. It is immutable and
 * safe for use by several threads.
 */
public final class Job {
    private final JobSpec spec;

    Job(JobSpec spec) {
        this.spec = spec;
    }

    /**
     * Starts a job. Only its workers have to be given: {@code Job.builder().ps(2).workers(4).priority(LOW).gpu(1).build()} has a
     * name and a master as well, which {@link #explain} lists.
     */
    public static JobBuilder builder() {
        return new JobBuilder(InputFormat.CODE);
    }

    /** Starts a job with its name; see {@link JobBuilder#name}. */
    public static JobBuilder named(String name) {
        return builder().name(name);
    }

    /**
     * The job of a spec that was made by other means than the builder, completed by what it implies; an empty name is derived
     * from the content.
     *
     * @throws InvalidJobException with every mistake of the spec
     */
    public static Job of(JobSpec spec) {
        return of(Objects.requireNonNull(spec, "spec"), InputFormat.CODE, List.of());
    }

    /** Completes and checks a spec; mistakes that were made before come first. */
    static Job of(JobSpec spec, InputFormat format, List<String> before) {
        List<String> mistakes = new ArrayList<>(before);
        mistakes.addAll(new JobRules(spec, format).check());
        if (!mistakes.isEmpty()) {
            throw new InvalidJobException(spec.name(), mistakes);
        }
        JobSpec complete = ImpliedRoles.complete(spec);
        return new Job(
                complete.name().isEmpty()
                        ? JobSpec.builder()
                                .from(complete)
                                .name(JobName.of(complete))
                                .build()
                        : complete);
    }

    /**
     * Reads a job from JSON, as {@link #toJson} writes it.
     *
     * @throws InvalidJobException with every mistake of the text and of the job
     */
    public static Job fromJson(String json) {
        return JobReader.read(Objects.requireNonNull(json, "json"), DataNodeReader::json);
    }

    /**
     * Reads a job from YAML, as {@link #toYaml} writes it or a person does: resources as {@code cpu=2,memory=2048Mi} or as
     * a map; volumes as maps or in {@link Volume#parse}'s grammar; durations in ISO-8601 or as {@code 30s}, {@code 2h}.
     * Each key once, no unknown key, no anchors, one document, at most a million characters.
     *
     * @throws InvalidJobException with every mistake of the text and of the job
     */
    public static Job fromYaml(String yaml) {
        return JobReader.read(Objects.requireNonNull(yaml, "yaml"), DataNodeReader::yaml);
    }

    /** A builder that starts from this job: what is said there replaces, or adds to, what is said here. */
    public JobBuilder toBuilder() {
        return JobBuilder.of(spec);
    }

    /** What was asked for, as plain values. */
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

    /** Whose environment the replicas expect. */
    public Framework framework() {
        return spec.framework();
    }

    /** The roles, in the order given, at least one, each type once. */
    public List<RoleSpec> roles() {
        return spec.roles();
    }

    /** A role of the job; empty when it has none of that type. */
    public Optional<RoleSpec> role(RoleType type) {
        return spec.role(Objects.requireNonNull(type, "type"));
    }

    /**
     * A role of the job by its word.
     *
     * @throws IllegalArgumentException when the job has no such role; the message lists those it has
     */
    public RoleSpec role(String role) {
        return roles().stream()
                .filter(r -> r.type().id().equals(role))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("job \"" + name() + "\" has no role \"" + role + "\"; it has "
                                + roles().stream().map(r -> r.type().id()).collect(Collectors.joining(", "))));
    }

    /** The job as JSON, with its derived name and implied roles, without what is as by default; the same bytes each time. */
    public String toJson() {
        return JsonText.print(JobWriter.write(spec));
    }

    /** The job as YAML, with its derived name and implied roles, without what is as by default; the same bytes each time. */
    public String toYaml() {
        return YamlText.print(JobWriter.write(spec), YamlStyle.JOB);
    }

    /**
     * Returns what the job has without having been asked for it, and why: a derived name, an implied role, the defaults. A pure
     * function of the job.
     */
    public JobExplanation explain() {
        return Explainer.explain(spec, toString(), JobName.of(spec));
    }

    /**
     * What the job becomes: names, addresses, labels, environment. A pure function of the job.
     *
     * @throws dev.edl.plan.PlanException when the job is well formed but cannot run as it is
     */
    public JobPlan plan() {
        return plan(Profile.ELASTICDL);
    }

    /**
     * What the job becomes by another system's names, labels, addresses, ports and environment. A pure function of the job.
     *
     * @throws dev.edl.plan.PlanException when the job is well formed but cannot run as it is, or the profile's system has no
     *     such job
     */
    public JobPlan plan(Profile profile) {
        return plan(profile, EnvRules.of(spec.framework(), profile));
    }

    /**
     * The same with a rule for the environment that is not the profile's own, for example
     * {@code TensorFlowEnv.of(profile).evaluatorInCluster(false)}.
     *
     * @throws dev.edl.plan.PlanException when the job is well formed but cannot run as it is, or the profile's system has no
     *     such job
     */
    public JobPlan plan(Profile profile, EnvRule env) {
        return Planner.plan(spec, Objects.requireNonNull(profile, "profile"), Objects.requireNonNull(env, "env"));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Job that && spec.equals(that.spec);
    }

    @Override
    public int hashCode() {
        return spec.hashCode();
    }

    /** One line: {@code Job test-mnist (elasticdl): master, ps x 2, worker x 4 (1..8)}. */
    @Override
    public String toString() {
        return "Job " + name() + " (" + framework() + "): "
                + roles().stream().map(Job::line).collect(Collectors.joining(", "));
    }

    /** {@code worker x 4 (1..8)}. */
    static String line(RoleSpec role) {
        return role.type().id()
                + (role.type().single() ? "" : " x " + role.replicas())
                + role.elastic().map(bounds -> " (" + bounds + ")").orElse("");
    }
}
