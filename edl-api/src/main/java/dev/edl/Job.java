package dev.edl;

import dev.edl.env.EnvRules;
import dev.edl.explain.JobExplanation;
import dev.edl.explain.internal.Explainer;
import dev.edl.explain.internal.ImpliedRoles;
import dev.edl.internal.job.DerivedJobName;
import dev.edl.internal.job.JobRules;
import dev.edl.internal.job.JobSourceFormat;
import dev.edl.internal.job.JobWriter;
import dev.edl.internal.text.DataNodeReader;
import dev.edl.internal.text.JsonText;
import dev.edl.internal.text.YamlStyle;
import dev.edl.internal.text.YamlText;
import dev.edl.plan.EnvRule;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Planner;
import dev.edl.plan.Profile;
import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleType;
import dev.edl.spec.Volume;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Distributed training job: its roles, images, resources and policies, independent of where it runs.
 *
 * <pre>{@code
 * Job job = Job.named("test-mnist")
 *     .image("registry.example/acme/mnist:1")
 *     .master()
 *     .ps(2).request("cpu=2,memory=2048Mi")
 *     .workers(4).elastic(1, 8).priority(LOW)
 *     .build();
 * Job larger = job.toBuilder().workers(6).build();   // everything else unchanged
 * Job.fromYaml(job.toYaml()).equals(job);            // true
 * }</pre>
 *
 * <p>A job is always valid: its mistakes are found when it is built. Jobs with the same content are equal. Immutable;
 * safe for use by several threads.
 */
public final class Job {
    private final JobSpec spec;

    Job(JobSpec spec) {
        this.spec = spec;
    }

    /**
     * Creates a builder for a job.
     *
     * <p>Only the workers are required. {@code Job.builder().ps(2).workers(4).priority(LOW).gpu(1).build()} also gets a
     * derived name and a master; {@link #explain} lists them.
     */
    public static JobBuilder builder() {
        return new JobBuilder(JobSourceFormat.CODE);
    }

    /** Creates a builder for a job with this name; see {@link JobBuilder#name}. */
    public static JobBuilder named(String name) {
        return builder().name(name);
    }

    /**
     * Returns the job that a spec describes, for a spec that was created without {@link JobBuilder}.
     *
     * <p>Adds the implied roles. An empty name is replaced by one derived from the content.
     *
     * @throws InvalidJobException with every mistake of the spec
     */
    public static Job of(JobSpec spec) {
        return of(Objects.requireNonNull(spec, "spec"), JobSourceFormat.CODE, List.of());
    }

    /**
     * Checks a spec, then adds the implied roles and, if the name is empty, a derived name.
     *
     * @param before mistakes found while the spec was composed; the exception lists them first
     * @throws InvalidJobException with the mistakes of {@code before} and of the spec
     */
    static Job of(JobSpec spec, JobSourceFormat format, List<String> before) {
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
                                .name(DerivedJobName.of(complete))
                                .build()
                        : complete);
    }

    /**
     * Parses a job from JSON as {@link #toJson} writes it.
     *
     * @throws InvalidJobException with every mistake of the text and of the job
     */
    public static Job fromJson(String json) {
        return JobReader.read(Objects.requireNonNull(json, "json"), DataNodeReader::json);
    }

    /**
     * Parses a job from YAML, written by {@link #toYaml} or by hand.
     *
     * <ul>
     *   <li>Resources are a text such as {@code cpu=2,memory=2048Mi}, or a map.
     *   <li>Volumes are maps, or texts in the grammar of {@link Volume#parse}.
     *   <li>Durations are ISO-8601, or of the form {@code 30s} and {@code 2h}.
     *   <li>Unknown keys, duplicate keys, anchors and a second document are rejected.
     *   <li>The text has at most a million characters.
     * </ul>
     *
     * @throws InvalidJobException with every mistake of the text and of the job
     */
    public static Job fromYaml(String yaml) {
        return JobReader.read(Objects.requireNonNull(yaml, "yaml"), DataNodeReader::yaml);
    }

    /**
     * Returns a builder that starts with this job's content. Settings made on the builder replace or extend that
     * content; this job stays unchanged.
     */
    public JobBuilder toBuilder() {
        return JobBuilder.of(spec);
    }

    /** Returns the job's settings, including its derived name and implied roles, as plain values. */
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

    /** Returns the framework, which determines the environment of the replicas. */
    public Framework framework() {
        return spec.framework();
    }

    /** Returns the job's roles in the order of its spec: at least one, and at most one of each role type. */
    public List<RoleSpec> roles() {
        return spec.roles();
    }

    /** Returns the role of a type; empty when the job has none. */
    public Optional<RoleSpec> role(RoleType type) {
        return spec.role(Objects.requireNonNull(type, "type"));
    }

    /**
     * Returns the role named {@code role}.
     *
     * @param role name of a role as in {@link RoleType#id}, such as {@code worker}
     *
     * @throws IllegalArgumentException when the job has no such role; the message lists its roles
     */
    public RoleSpec role(String role) {
        return roles().stream()
                .filter(r -> r.type().id().equals(role))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("job \"" + name() + "\" has no role \"" + role + "\"; it has "
                                + roles().stream().map(r -> r.type().id()).collect(Collectors.joining(", "))));
    }

    /**
     * Returns the job as JSON. It includes the derived name and the implied roles and omits default values. Equal jobs
     * give the same bytes.
     */
    public String toJson() {
        return JsonText.print(JobWriter.write(spec));
    }

    /**
     * Returns the job as YAML. It includes the derived name and the implied roles and omits default values. Equal jobs
     * give the same bytes.
     */
    public String toYaml() {
        return YamlText.print(JobWriter.write(spec), YamlStyle.JOB);
    }

    /**
     * Returns the values that the job has without having specified them, with the reasons: a derived name, implied
     * roles, defaults. A pure function of the job.
     */
    public JobExplanation explain() {
        return Explainer.explain(spec, toString(), DerivedJobName.of(spec));
    }

    /**
     * Plans the job: names, addresses, labels and environment of its replicas. A pure function of the job.
     *
     * @throws dev.edl.plan.PlanException when the job is well formed but cannot run
     */
    public JobPlan plan() {
        return plan(Profile.ELASTICDL);
    }

    /**
     * Plans the job with the names, labels, addresses, ports and environment of another system. A pure function of the
     * job.
     *
     * @throws dev.edl.plan.PlanException when the job is well formed but cannot run, or the profile's system does not
     *     support it
     */
    public JobPlan plan(Profile profile) {
        return plan(profile, EnvRules.of(spec.framework(), profile));
    }

    /**
     * Plans the job with a custom environment rule in place of the profile's, for example
     * {@code TensorFlowEnv.of(profile).evaluatorInCluster(false)}.
     *
     * @throws dev.edl.plan.PlanException when the job is well formed but cannot run, or the profile's system does not
     *     support it
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

    /** Returns one line for people: {@code Job test-mnist (elasticdl): master, ps x 2, worker x 4 (1..8)}. */
    @Override
    public String toString() {
        return "Job " + name() + " (" + framework() + "): "
                + roles().stream().map(Job::line).collect(Collectors.joining(", "));
    }

    /** Returns the role's part of the line of {@link #toString}, such as {@code worker x 4 (1..8)}. */
    static String line(RoleSpec role) {
        return role.type().id()
                + (role.type().single() ? "" : " x " + role.replicas())
                + role.elastic().map(bounds -> " (" + bounds + ")").orElse("");
    }
}
