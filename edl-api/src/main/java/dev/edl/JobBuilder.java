package dev.edl;

import dev.edl.internal.job.JobSourceFormat;
import dev.edl.spec.Backoff;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleType;
import dev.edl.spec.SuccessPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Builder of a {@link Job}. A role's method ({@link #master()}, {@link #ps(int)}, {@link #workers(int)} …) opens that
 * role; the {@link RoleScope} settings that follow apply to it. Settings before the first role are defaults for all
 * roles. Settings of the whole job (name, labels, deadline …) may appear anywhere.
 *
 * <pre>{@code
 * Job job = Job.builder()
 *     .name("test-mnist")
 *     .image("registry.example/acme/mnist:1")
 *     .master().priority(HIGH)
 *     .ps(2).priority(HIGH).request("cpu=2,memory=2048Mi")
 *     .workers(4).priority(LOW).gpu(1).elastic(1, 8)
 *     .build();
 * }</pre>
 *
 * <p>A role's settings may also be a lambda, {@code .workers(4, w -> w.priority(LOW).gpu(1))}, which leaves the current
 * scope open.
 *
 * <p>Each role is specified once. A builder of {@link Job#toBuilder()} reopens an existing role: it keeps the role's
 * settings and replaces the number of replicas if one is passed.
 *
 * <p>If a setting is repeated in one scope, the last value counts. Only {@link #build} throws for wrong values and
 * null; a null lambda throws at once. Labels and annotations are sorted by key. Not thread-safe.
 */
public final class JobBuilder extends RoleScope<JobBuilder> {
    private final JobSourceFormat format;
    private final List<String> mistakes = new ArrayList<>();
    private final JobDraft job;
    private RoleDraft current;

    JobBuilder(JobSourceFormat format) {
        this(format, new JobDraft());
    }

    private JobBuilder(JobSourceFormat format, JobDraft job) {
        this.format = format;
        this.job = job;
        this.current = job.defaults;
    }

    static JobBuilder of(JobSpec spec) {
        return new JobBuilder(JobSourceFormat.CODE, JobDraft.of(spec));
    }

    /**
     * Sets the job's name, the stem of the names of all its objects. By default it is derived from the job's content:
     * {@code job-} and 8 hexadecimal digits, the same on every machine.
     *
     * @param name a DNS-1035 label of at most 63 characters: lower-case letters, digits and dashes, first a letter,
     *     last no dash. Derived names must fit as well: {@code elasticdl-<name>-worker-<5 digits>} has at most 63
     */
    public JobBuilder name(String name) {
        return whole("name", name, () -> {
            job.name = name;
            if (name.isEmpty()) {
                mistake("name must not be empty; leave it out to have one derived from the content"
                        + format.example("name(\"test-mnist\")", "name: test-mnist"));
            }
        });
    }

    /**
     * Sets the Kubernetes namespace; by default {@code default}.
     *
     * @param namespace a DNS-1123 label
     */
    public JobBuilder namespace(String namespace) {
        return whole("namespace", namespace, () -> job.namespace = namespace);
    }

    /** Sets the framework and clears its version; by default {@link Framework#ELASTICDL}. */
    public JobBuilder framework(Framework framework) {
        return whole("framework", framework, () -> job.framework(framework));
    }

    /**
     * Sets the version of the framework in the image. {@link #build} and the plan reject a job that this version is
     * known not to support.
     *
     * @param version {@code 2.15}, {@code 2.15.1}, {@code 1.13.1+cpu}: two to four numbers and optional letters
     */
    public JobBuilder frameworkVersion(String version) {
        return whole("frameworkVersion", version, () -> job.frameworkVersion = version);
    }

    /** Selects EDL's own runtime: {@code master}, {@code ps}, {@code worker}. The default. */
    public JobBuilder elasticdl() {
        return framework(Framework.ELASTICDL);
    }

    /** Selects TensorFlow: {@code master} or {@code chief}, {@code ps}, {@code worker}, {@code evaluator}. */
    public JobBuilder tensorflow() {
        return framework(Framework.TENSORFLOW);
    }

    /** Selects TensorFlow and sets its version; see {@link #frameworkVersion}. */
    public JobBuilder tensorflow(String version) {
        return tensorflow().frameworkVersion(version);
    }

    /** Selects MXNet: {@code server} or {@code ps}, which imply the {@code scheduler}, and {@code worker}. */
    public JobBuilder mxnet() {
        return framework(Framework.MXNET);
    }

    /** Selects MXNet and sets its version; see {@link #frameworkVersion}. */
    public JobBuilder mxnet(String version) {
        return mxnet().frameworkVersion(version);
    }

    /** Selects Horovod: {@code launcher}, {@code worker}. */
    public JobBuilder horovod() {
        return framework(Framework.HOROVOD);
    }

    /** Selects Horovod and sets its version; see {@link #frameworkVersion}. */
    public JobBuilder horovod(String version) {
        return horovod().frameworkVersion(version);
    }

    /** Selects PyTorch: {@code master}, {@code worker}. */
    public JobBuilder pytorch() {
        return framework(Framework.PYTORCH);
    }

    /** Selects PyTorch and sets its version; see {@link #frameworkVersion}. */
    public JobBuilder pytorch(String version) {
        return pytorch().frameworkVersion(version);
    }

    /**
     * Sets the id of one run of the job; by default derived from the job's content.
     *
     * @param runId a DNS-1123 label
     */
    public JobBuilder runId(String runId) {
        return whole("runId", runId, () -> job.runId = runId);
    }

    /**
     * Adds a label to every object of the job; replaces an earlier one with the same key.
     *
     * @param key key of the label: {@code name} or {@code domain/name}
     * @param value value of the label: at most 63 letters, digits, dashes, dots and underscores
     */
    public JobBuilder label(String key, String value) {
        return whole("labels", key, () -> whole("labels." + key, value, () -> job.labels.put(key, value)));
    }

    /** Replaces all labels. */
    public JobBuilder labels(Map<String, String> labels) {
        return whole("labels", labels, () -> {
            job.labels = new TreeMap<>();
            labels.forEach(this::label);
        });
    }

    /**
     * Adds an annotation to every object of the job; replaces an earlier one with the same key.
     *
     * @param key key of the annotation: {@code name} or {@code domain/name}
     * @param value any text
     */
    public JobBuilder annotation(String key, String value) {
        return whole(
                "annotations", key, () -> whole("annotations." + key, value, () -> job.annotations.put(key, value)));
    }

    /** Replaces all annotations. */
    public JobBuilder annotations(Map<String, String> annotations) {
        return whole("annotations", annotations, () -> {
            job.annotations = new TreeMap<>();
            annotations.forEach(this::annotation);
        });
    }

    /**
     * Sets when the job has succeeded. By default, its leading replica must succeed or, without a leader, all workers.
     */
    public JobBuilder success(SuccessPolicy policy) {
        return whole("success", policy, () -> job.success = policy);
    }

    /** Sets which replicas are deleted once the job has ended; by default {@link CleanupPolicy#RUNNING}. */
    public JobBuilder cleanup(CleanupPolicy policy) {
        return whole("cleanup", policy, () -> job.cleanup = policy);
    }

    /**
     * Sets how long an ended job is kept before all its objects are deleted; by default forever.
     *
     * @param ttl delay between the job's end and the deletion: zero or more, at most 36500 days
     */
    public JobBuilder ttl(Duration ttl) {
        return whole("ttl", ttl, () -> job.ttl = ttl);
    }

    /**
     * Sets how long the job may run before it fails; by default unlimited.
     *
     * @param deadline longest duration, more than zero, at most 36500 days
     */
    public JobBuilder deadline(Duration deadline) {
        return whole("deadline", deadline, () -> job.deadline = deadline);
    }

    /** Sets the delay before a relaunch; by default none. */
    public JobBuilder backoff(Backoff backoff) {
        return whole("backoff", backoff, () -> job.backoff = backoff);
    }

    /**
     * Sets a delay before each relaunch. It doubles with each relaunch that the replica and its predecessors have
     * spent.
     *
     * @param initial the first delay, zero or more
     * @param max the longest delay, at least {@code initial}, at most 36500 days
     */
    public JobBuilder backoff(Duration initial, Duration max) {
        return whole(
                "backoff",
                initial,
                () -> whole("backoff", max, () -> {
                    try {
                        job.backoff = Backoff.doubling(initial, max);
                    } catch (IllegalArgumentException e) {
                        mistake("backoff: " + e.getMessage());
                    }
                }));
    }

    /** Opens the scope of the master, which assigns tasks (ElasticDL) or leads the training (TensorFlow 1, PyTorch). */
    public JobBuilder master() {
        return open(role(RoleType.MASTER));
    }

    /** Adds the master with its settings; the current scope stays open. */
    public JobBuilder master(Consumer<RoleBuilder> settings) {
        return within(RoleType.MASTER, draft -> {}, settings);
    }

    /** Opens the scope of the chief, which leads the training (TensorFlow 2). */
    public JobBuilder chief() {
        return open(role(RoleType.CHIEF));
    }

    /** Adds the chief with its settings; the current scope stays open. */
    public JobBuilder chief(Consumer<RoleBuilder> settings) {
        return within(RoleType.CHIEF, draft -> {}, settings);
    }

    /**
     * Opens the scope of the parameter servers. Their number is one or, if {@link Job#toBuilder} made this builder,
     * that of the job.
     */
    public JobBuilder ps() {
        return open(role(RoleType.PS));
    }

    /**
     * Opens the scope of the parameter servers.
     *
     * @param replicas number of parameter servers, at least 1
     */
    public JobBuilder ps(int replicas) {
        return open(role(RoleType.PS, replicas));
    }

    /**
     * Adds the parameter servers with their settings; the current scope stays open.
     *
     * @param replicas number of parameter servers, at least 1
     */
    public JobBuilder ps(int replicas, Consumer<RoleBuilder> settings) {
        return within(RoleType.PS, draft -> draft.replicas = replicas, settings);
    }

    /**
     * Opens the scope of the workers. Their number is one or, if {@link Job#toBuilder} made this builder, that of the
     * job.
     */
    public JobBuilder workers() {
        return open(role(RoleType.WORKER));
    }

    /**
     * Opens the scope of the workers.
     *
     * @param replicas number of workers, at least 1
     */
    public JobBuilder workers(int replicas) {
        return open(role(RoleType.WORKER, replicas));
    }

    /**
     * Adds the workers with their settings; the current scope stays open.
     *
     * @param replicas number of workers, at least 1
     */
    public JobBuilder workers(int replicas, Consumer<RoleBuilder> settings) {
        return within(RoleType.WORKER, draft -> draft.replicas = replicas, settings);
    }

    /** Opens the scope of the evaluator, which evaluates checkpoints during the training (TensorFlow). */
    public JobBuilder evaluator() {
        return open(role(RoleType.EVALUATOR));
    }

    /** Adds the evaluator with its settings; the current scope stays open. */
    public JobBuilder evaluator(Consumer<RoleBuilder> settings) {
        return within(RoleType.EVALUATOR, draft -> {}, settings);
    }

    /** Opens the scope of the scheduler (MXNet). */
    public JobBuilder scheduler() {
        return open(role(RoleType.SCHEDULER));
    }

    /** Adds the scheduler with its settings; the current scope stays open. */
    public JobBuilder scheduler(Consumer<RoleBuilder> settings) {
        return within(RoleType.SCHEDULER, draft -> {}, settings);
    }

    /**
     * Opens the scope of the parameter servers of MXNet. Their number is one or, if {@link Job#toBuilder} made this
     * builder, that of the job.
     */
    public JobBuilder servers() {
        return open(role(RoleType.SERVER));
    }

    /**
     * Opens the scope of the parameter servers of MXNet.
     *
     * @param replicas number of parameter servers, at least 1
     */
    public JobBuilder servers(int replicas) {
        return open(role(RoleType.SERVER, replicas));
    }

    /**
     * Adds the parameter servers of MXNet with their settings; the current scope stays open.
     *
     * @param replicas number of parameter servers, at least 1
     */
    public JobBuilder servers(int replicas, Consumer<RoleBuilder> settings) {
        return within(RoleType.SERVER, draft -> draft.replicas = replicas, settings);
    }

    /** Opens the scope of the launcher, which starts the processes (Horovod). */
    public JobBuilder launcher() {
        return open(role(RoleType.LAUNCHER));
    }

    /** Adds the launcher with its settings; the current scope stays open. */
    public JobBuilder launcher(Consumer<RoleBuilder> settings) {
        return within(RoleType.LAUNCHER, draft -> {}, settings);
    }

    /**
     * Sets the bounds between which the workers may be scaled while the job runs; allowed only in the scope of a role.
     *
     * @param min smallest number of workers, at least 1
     * @param max largest number of workers, at least {@code min}
     */
    public JobBuilder elastic(int min, int max) {
        if (current == job.defaults) {
            mistake("defaults.elastic must follow a role; for example workers(4).elastic(1, 8)");
            return this;
        }
        new RoleBuilder(this, current).elastic(min, max);
        return this;
    }

    /**
     * Builds the job and adds what it implies: a name, the master of an elasticdl job, the scheduler of MXNet's
     * servers. {@link Job#explain} lists them.
     *
     * @throws InvalidJobException with every mistake of the setters and of the whole job
     */
    public Job build() {
        return Job.of(job.spec(), format, mistakes);
    }

    /**
     * Returns the draft of a role, for its settings; adds the role if the job lacks it. Keeps the number of replicas
     * and the current scope. If the role was specified before, adds a mistake and returns a separate draft.
     *
     * @param wanted PS means SERVER if an MXNet job has that role
     */
    RoleDraft role(RoleType wanted) {
        boolean servers =
                wanted == RoleType.PS && job.framework == Framework.MXNET && job.roles.containsKey(RoleType.SERVER);
        RoleType type = servers ? RoleType.SERVER : wanted;
        RoleDraft draft = job.roles.get(type);
        if (draft == null) {
            draft = new RoleDraft(format.path(type));
            job.roles.put(type, draft);
        } else if (draft.inherited) {
            draft.inherited = false;
        } else {
            mistake(draft.path + " is given twice; specify each role once, followed by its settings");
            // Reads the following settings to find their mistakes, but keeps them apart from the first draft.
            draft = new RoleDraft(draft.path);
        }
        return draft;
    }

    private RoleDraft role(RoleType type, int replicas) {
        RoleDraft draft = role(type);
        draft.replicas = replicas;
        return draft;
    }

    private JobBuilder open(RoleDraft draft) {
        current = draft;
        return this;
    }

    private JobBuilder within(RoleType type, Consumer<RoleDraft> number, Consumer<RoleBuilder> settings) {
        // Checks before the role is added, so that a failed call leaves the builder unchanged.
        Objects.requireNonNull(settings, "settings");
        RoleDraft draft = role(type);
        number.accept(draft);
        settings.accept(new RoleBuilder(this, draft));
        return this;
    }

    private JobBuilder whole(String field, @Nullable Object value, Runnable setting) {
        if (value == null) {
            mistake(field + " must not be null");
        } else {
            setting.run();
        }
        return this;
    }

    @Override
    RoleDraft draft() {
        return current;
    }

    @Override
    void mistake(String line) {
        mistakes.add(line);
    }

    @Override
    JobBuilder self() {
        return this;
    }

    /** Returns {@code JobBuilder test-mnist (elasticdl): master, worker x 4; settings go to worker; 1 mistake}. */
    @Override
    public String toString() {
        return BuilderDescription.of(job.name, job.framework, job.roles, current.path, mistakes.size());
    }
}
