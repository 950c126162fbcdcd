package dev.edl;

import dev.edl.internal.job.InputFormat;
import dev.edl.spec.JobSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Composes a {@link Job}, in scopes: a role's method ({@link #master()}, {@link #ps(int)}, {@link #workers(int)} …)
 * opens the role, and the settings of {@link RoleScope} that follow are that role's own; before any role they are the
 * default of all. What belongs to the job as a whole (name, labels, deadline …) can be said anywhere.
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
 * <p>A role can be given as a lambda as well; afterwards the scope is the one before:
 * {@code .workers(4, w -> w.priority(LOW).gpu(1))}.
 *
 * <p>Each role is given once. In a builder of {@link Job#toBuilder()} a role that the job already has is opened again:
 * the number of replicas is replaced when given, the settings stay.
 *
 * <p>Saying a single thing twice in one scope: the last one counts. No method but {@link #build} throws for a wrong
 * value, null included; only a null in place of a lambda is refused at once. Labels and annotations are kept in the order of their keys. Not safe for use by several threads.
 */
public final class JobBuilder extends RoleScope<JobBuilder> {
    private final InputFormat format;
    private final List<String> mistakes = new ArrayList<>();
    private final JobDraft job;
    private RoleDraft current;

    JobBuilder(InputFormat format) {
        this(format, new JobDraft());
    }

    private JobBuilder(InputFormat format, JobDraft job) {
        this.format = format;
        this.job = job;
        this.current = job.defaults;
    }

    static JobBuilder of(JobSpec spec) {
        return new JobBuilder(InputFormat.CODE, JobDraft.of(spec));
    }

    /**
     * The job's name, the stem of every name the job makes; unless given, derived from the job's content as {@code job-} and 8
     * hexadecimal digits, the same on every machine.
     *
     * @param name a DNS-1035 label: lower-case letters, digits and dashes, first a letter, last no dash, at most 63;
     *     the names that a plan makes of it must fit as well: {@code elasticdl-<name>-worker-<5 digits>} has at most 63
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
     * The Kubernetes namespace; {@code default} unless given.
     *
     * @param namespace a DNS-1123 label
     */
    public JobBuilder namespace(String namespace) {
        return whole("namespace", namespace, () -> job.namespace = namespace);
    }

    /** Whose environment the replicas expect; {@link Framework#ELASTICDL} unless given. A version given before is dropped. */
    public JobBuilder framework(Framework framework) {
        return whole("framework", framework, () -> job.framework(framework));
    }

    /**
     * The framework's version in the image. What that version is known to refuse, the plan refuses first.
     *
     * @param version {@code 2.15}, {@code 2.15.1}, {@code 1.13.1+cpu}: two to four numbers, if need be with letters behind them
     */
    public JobBuilder frameworkVersion(String version) {
        return whole("frameworkVersion", version, () -> job.frameworkVersion = version);
    }

    /** EDL's own runtime, by ElasticDL's scheme: {@code master}, {@code ps}, {@code worker}. The default. */
    public JobBuilder elasticdl() {
        return framework(Framework.ELASTICDL);
    }

    /** TensorFlow: {@code master} or {@code chief}, {@code ps}, {@code worker}, {@code evaluator}. */
    public JobBuilder tensorflow() {
        return framework(Framework.TENSORFLOW);
    }

    /** TensorFlow of a version; see {@link #frameworkVersion}. */
    public JobBuilder tensorflow(String version) {
        return tensorflow().frameworkVersion(version);
    }

    /** MXNet: {@code server} or {@code ps}, which imply the {@code scheduler}, and {@code worker}. */
    public JobBuilder mxnet() {
        return framework(Framework.MXNET);
    }

    /** MXNet of a version; see {@link #frameworkVersion}. */
    public JobBuilder mxnet(String version) {
        return mxnet().frameworkVersion(version);
    }

    /** Horovod: {@code launcher}, {@code worker}. */
    public JobBuilder horovod() {
        return framework(Framework.HOROVOD);
    }

    /** Horovod of a version; see {@link #frameworkVersion}. */
    public JobBuilder horovod(String version) {
        return horovod().frameworkVersion(version);
    }

    /** PyTorch: {@code master}, {@code worker}. */
    public JobBuilder pytorch() {
        return framework(Framework.PYTORCH);
    }

    /** PyTorch of a version; see {@link #frameworkVersion}. */
    public JobBuilder pytorch(String version) {
        return pytorch().frameworkVersion(version);
    }

    /**
     * Identifies one run of the job; derived from the job's content unless given.
     *
     * @param runId a DNS-1123 label
     */
    public JobBuilder runId(String runId) {
        return whole("runId", runId, () -> job.runId = runId);
    }

    /**
     * Adds a label to everything the job makes; one of the same key is replaced.
     *
     * @param key {@code name} or {@code domain/name}
     * @param value at most 63 letters, digits, dashes, dots and underscores
     */
    public JobBuilder label(String key, String value) {
        return whole("labels", key, () -> whole("labels." + key, value, () -> job.labels.put(key, value)));
    }

    /** Replaces the labels given so far. */
    public JobBuilder labels(Map<String, String> labels) {
        return whole("labels", labels, () -> {
            job.labels = new TreeMap<>();
            labels.forEach(this::label);
        });
    }

    /**
     * Adds an annotation to everything the job makes; one of the same key is replaced.
     *
     * @param key {@code name} or {@code domain/name}
     * @param value any text
     */
    public JobBuilder annotation(String key, String value) {
        return whole(
                "annotations", key, () -> whole("annotations." + key, value, () -> job.annotations.put(key, value)));
    }

    /** Replaces the annotations given so far. */
    public JobBuilder annotations(Map<String, String> annotations) {
        return whole("annotations", annotations, () -> {
            job.annotations = new TreeMap<>();
            annotations.forEach(this::annotation);
        });
    }

    /** When the job has succeeded; unless given, with its leading replica or, without a leader, with all workers. */
    public JobBuilder success(SuccessPolicy policy) {
        return whole("success", policy, () -> job.success = policy);
    }

    /** What is removed once the job has ended; {@link CleanupPolicy#RUNNING} unless given. */
    public JobBuilder cleanup(CleanupPolicy policy) {
        return whole("cleanup", policy, () -> job.cleanup = policy);
    }

    /**
     * How long the ended job is kept before all of it is removed; for good unless given.
     *
     * @param ttl zero (at once) or more, at most 36500 days
     */
    public JobBuilder ttl(Duration ttl) {
        return whole("ttl", ttl, () -> job.ttl = ttl);
    }

    /**
     * How long the job may run before it fails; without a limit unless given.
     *
     * @param deadline more than zero, at most 36500 days
     */
    public JobBuilder deadline(Duration deadline) {
        return whole("deadline", deadline, () -> job.deadline = deadline);
    }

    /** How long a relaunch waits; not at all unless given. */
    public JobBuilder backoff(Backoff backoff) {
        return whole("backoff", backoff, () -> job.backoff = backoff);
    }

    /**
     * How long a relaunch waits: a time that doubles with each relaunch that a lineage has spent.
     *
     * @param initial the first wait, zero or more
     * @param max the longest wait, at least {@code initial}, at most 36500 days
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

    /** Opens the master, which hands out the work (ElasticDL) or leads the training (TensorFlow 1, PyTorch). */
    public JobBuilder master() {
        return open(role(RoleType.MASTER));
    }

    /** Gives the master with its settings; the scope stays what it is. */
    public JobBuilder master(Consumer<RoleBuilder> settings) {
        return within(RoleType.MASTER, draft -> {}, settings);
    }

    /** Opens the chief, which leads the training (TensorFlow 2). */
    public JobBuilder chief() {
        return open(role(RoleType.CHIEF));
    }

    /** Gives the chief with its settings; the scope stays what it is. */
    public JobBuilder chief(Consumer<RoleBuilder> settings) {
        return within(RoleType.CHIEF, draft -> {}, settings);
    }

    /** Opens the parameter servers: one, or as many as the job that is being changed has. */
    public JobBuilder ps() {
        return open(role(RoleType.PS));
    }

    /**
     * Opens the parameter servers.
     *
     * @param replicas at least 1
     */
    public JobBuilder ps(int replicas) {
        return open(role(RoleType.PS, replicas));
    }

    /**
     * Gives the parameter servers with their settings; the scope stays what it is.
     *
     * @param replicas at least 1
     */
    public JobBuilder ps(int replicas, Consumer<RoleBuilder> settings) {
        return within(RoleType.PS, draft -> draft.replicas = replicas, settings);
    }

    /** Opens the workers: one, or as many as the job that is being changed has. */
    public JobBuilder workers() {
        return open(role(RoleType.WORKER));
    }

    /**
     * Opens the workers.
     *
     * @param replicas at least 1
     */
    public JobBuilder workers(int replicas) {
        return open(role(RoleType.WORKER, replicas));
    }

    /**
     * Gives the workers with their settings; the scope stays what it is.
     *
     * @param replicas at least 1
     */
    public JobBuilder workers(int replicas, Consumer<RoleBuilder> settings) {
        return within(RoleType.WORKER, draft -> draft.replicas = replicas, settings);
    }

    /** Opens the evaluator, which evaluates beside the training (TensorFlow). */
    public JobBuilder evaluator() {
        return open(role(RoleType.EVALUATOR));
    }

    /** Gives the evaluator with its settings; the scope stays what it is. */
    public JobBuilder evaluator(Consumer<RoleBuilder> settings) {
        return within(RoleType.EVALUATOR, draft -> {}, settings);
    }

    /** Opens the scheduler (MXNet). */
    public JobBuilder scheduler() {
        return open(role(RoleType.SCHEDULER));
    }

    /** Gives the scheduler with its settings; the scope stays what it is. */
    public JobBuilder scheduler(Consumer<RoleBuilder> settings) {
        return within(RoleType.SCHEDULER, draft -> {}, settings);
    }

    /** Opens the parameter servers of MXNet: one, or as many as the job that is being changed has. */
    public JobBuilder servers() {
        return open(role(RoleType.SERVER));
    }

    /**
     * Opens the parameter servers of MXNet.
     *
     * @param replicas at least 1
     */
    public JobBuilder servers(int replicas) {
        return open(role(RoleType.SERVER, replicas));
    }

    /**
     * Gives the parameter servers of MXNet with their settings; the scope stays what it is.
     *
     * @param replicas at least 1
     */
    public JobBuilder servers(int replicas, Consumer<RoleBuilder> settings) {
        return within(RoleType.SERVER, draft -> draft.replicas = replicas, settings);
    }

    /** Opens the launcher, which starts the processes (Horovod). */
    public JobBuilder launcher() {
        return open(role(RoleType.LAUNCHER));
    }

    /** Gives the launcher with its settings; the scope stays what it is. */
    public JobBuilder launcher(Consumer<RoleBuilder> settings) {
        return within(RoleType.LAUNCHER, draft -> {}, settings);
    }

    /**
     * Between which numbers of replicas the workers may be scaled while the job runs; only in the scope of a role.
     *
     * @param min at least 1
     * @param max at least {@code min}
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
     * Returns the job, completed by what it implies: a name, the master of an elasticdl job, the scheduler of MXNet's servers.
     * {@link Job#explain} lists them.
     *
     * @throws InvalidJobException with every mistake that was made, in the setters and in the whole
     */
    public Job build() {
        return Job.of(job.spec(), format, mistakes);
    }

    /** The draft of a role that is opened with its number of replicas left open. */
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
            mistake(draft.path + " is given twice; give each role once, with its settings behind it");
            // What follows is still read for its own mistakes, but must not mix with the first.
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
        // Checked before the role is added: a caller that catches this exception has an unchanged builder.
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

    /** One line: {@code JobBuilder test-mnist (elasticdl): master, worker x 4 (1..8); settings go to worker; 1 mistake}. */
    @Override
    public String toString() {
        return BuilderText.of(job.name, job.framework, job.roles, current.path, mistakes.size());
    }
}
