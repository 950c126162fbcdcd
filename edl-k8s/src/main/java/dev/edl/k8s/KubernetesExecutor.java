package dev.edl.k8s;

import dev.edl.Job;
import dev.edl.exec.ControlLoop;
import dev.edl.exec.JobExecutor;
import dev.edl.exec.JobHandle;
import dev.edl.exec.RetryPolicy;
import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.internal.pods.PodSubstrate;
import dev.edl.k8s.internal.record.JobRecord;
import dev.edl.k8s.internal.record.RecordLimit;
import dev.edl.k8s.internal.runs.LazyNodeWatch;
import dev.edl.k8s.internal.runs.RequestThreads;
import dev.edl.k8s.internal.runs.TensorBoardAddress;
import dev.edl.k8s.nodes.NodeWatch;
import dev.edl.k8s.preflight.Preflight;
import dev.edl.k8s.preflight.PreflightReport;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.render.Workload;
import dev.edl.k8s.spi.WorkerScalingProvider;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import dev.edl.status.JobEvent;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Runs jobs on Kubernetes: each replica is a pod, and this program decides about them, by the same policies as everywhere.
 *
 * <pre>{@code
 * try (KubernetesExecutor cluster = KubernetesExecutor.using(client);
 *      KubernetesRun run = cluster.submit(job)) {
 *   run.scale("worker", 6);
 *   JobStatus end = run.await(Duration.ofHours(2));
 * }
 * }</pre>
 *
 * <p><b>What lies in the cluster.</b> A ConfigMap {@code edl-job-NAME} keeps the job and its state, and owns every other object
 * of the job: deleting it deletes all. A program that crashed, or another one on another machine, takes the job over by
 * {@link #attach}; what has finished does not run again.
 *
 * <p><b>Closing.</b> {@link #close} stops driving the jobs; they stay in the cluster, their pods run on, and what
 * fails is relaunched only once a program attaches. {@link #delete} removes a job.
 *
 * <p><b>When the cluster refuses or does not answer.</b> No trouble of the cluster ends a job or deletes a replica. The client
 * repeats a request when a connection is lost and on 429 and 5xx, ten times within 19 s unless its {@code requestRetryBackoffLimit}
 * says otherwise; each answer takes its {@code requestTimeout} at most. What fails then is repeated by the {@link RetryPolicy},
 * without end, as {@link KubernetesRun#status} says. A request whose answer was lost is never carried out twice.
 *
 * <p>Of all its jobs together, at most 16 creations and deletions of pods are under way at once, unless {@link
 * KubernetesExecutorBuilder#inFlight} says otherwise.
 *
 * <p>A client that was handed in is the caller's, and is not closed here; another is. Thread-safe.
 */
public final class KubernetesExecutor implements JobExecutor {
    private static final Logger LOG = System.getLogger(KubernetesExecutor.class.getName());
    private static final Consumer<JobEvent> NO_LISTENER = event -> {};

    private final ClusterClient cluster;
    private final KubernetesClient client;
    private final PodOptions options;
    private final SupportingObjects supporting;
    private final LoopSettings settings;
    private final String mark;
    private final String jobDigest;
    private final RequestThreads requests;
    private final LazyNodeWatch nodes;
    private final RunRegistry runs;

    KubernetesExecutor(KubernetesExecutorBuilder builder) {
        this.cluster = builder.connect();
        this.client = cluster.client();
        this.options = builder.options;
        this.supporting = new SupportingObjects(client, options);
        this.settings = LoopSettings.of(builder, client);
        this.mark = builder.mark;
        this.jobDigest = builder.jobDigest;
        this.requests = new RequestThreads(builder.inFlight);
        this.nodes = builder.nodes.get();
        this.runs = new RunRegistry(cluster.reach());
    }

    /** Begins to say how jobs are to be run. */
    public static KubernetesExecutorBuilder builder() {
        return new KubernetesExecutorBuilder();
    }

    /** An executor whose pods have nothing beside what their jobs say; the client stays the caller's. */
    public static KubernetesExecutor using(KubernetesClient client) {
        return using(client, PodOptions.none());
    }

    /** An executor whose pods have these options, too; the client stays the caller's. */
    public static KubernetesExecutor using(KubernetesClient client, PodOptions options) {
        return builder().client(client).options(options).build();
    }

    /**
     * An executor on the cluster of a kubeconfig file, in its current context; it closes its client itself.
     *
     * @throws IllegalArgumentException when the file cannot be read, or has no current context
     */
    public static KubernetesExecutor fromKubeconfig(Path file) {
        return builder().kubeconfig(file).build();
    }

    /**
     * An executor on the cluster of a context of a kubeconfig file; it closes its client itself.
     *
     * @throws IllegalArgumentException when the file cannot be read, or has no such context
     */
    public static KubernetesExecutor fromKubeconfig(Path file, String context) {
        return builder().kubeconfig(file, context).build();
    }

    /**
     * Returns an executor on kubectl's cluster, or within a pod on the pod's own; it closes its client itself.
     *
     * @throws KubernetesClientException when {@code KUBECONFIG}, {@code ~/.kube/config} and a pod's service account name none
     */
    public static KubernetesExecutor fromEnvironment() {
        return builder().build();
    }

    /**
     * Plans a job, starts it and returns at once.
     *
     * @throws dev.edl.plan.PlanException when the job is well formed but cannot run as it is
     * @throws dev.edl.k8s.render.RenderException when Kubernetes would not take one of its objects
     * @throws IllegalArgumentException when a job of this name is in the namespace
     * @throws KubernetesClientException when the cluster does not answer or refuses an object; it tells what grants a missing right
     */
    @Override
    public KubernetesRun submit(Job job) {
        return submit(job.plan());
    }

    /**
     * Plans a job, starts it and returns at once; fails as {@link #submit(Job)} does.
     *
     * @param listener hears every event from the first on; see {@link JobHandle#onEvent}
     */
    public KubernetesRun submit(Job job, Consumer<JobEvent> listener) {
        return submit(job.plan(), listener);
    }

    /**
     * Starts a planned job and returns at once.
     *
     * @throws dev.edl.k8s.render.RenderException when Kubernetes would not take one of its objects
     * @throws IllegalArgumentException when a job of this name is in the namespace
     * @throws KubernetesClientException when the cluster refuses an object, or calls the first pod of a role invalid (400, 422);
     *     nothing of the job is left in the cluster then
     */
    @Override
    public KubernetesRun submit(JobPlan plan) {
        return submit(plan, NO_LISTENER);
    }

    /**
     * Starts a planned job and returns at once; fails as {@link #submit(JobPlan)} does.
     *
     * @param listener hears every event from the first on; see {@link JobHandle#onEvent}
     */
    public KubernetesRun submit(JobPlan plan, Consumer<JobEvent> listener) {
        Objects.requireNonNull(listener, "listener");
        return runs.begin(
                plan.name(),
                "start",
                () -> SubmitPermissionAdvice.explained(client, plan, options, () -> start(plan, listener)));
    }

    private KubernetesRun start(JobPlan plan, Consumer<JobEvent> listener) {
        PodTemplates templates = PodTemplates.of(plan, options);
        RecordLimit.check(plan);
        WorkerScalingProvider.of(plan);
        // Before anything is made in the cluster: its objects can be rendered.
        Manifests.of(plan, options, Workload.PODS).check();
        nodes.open(client);
        JobState state = JobState.initial(plan);
        JobRecord record = JobRecord.create(api(plan.namespace()), plan, state, mark(), options.ownerReference());
        try {
            supporting.create(plan, record);
            return drive(plan, templates, record, state, listener).unaccepted();
        } catch (RuntimeException e) {
            throw record.collectAfter(e);
        }
    }

    /**
     * Takes over a job that was submitted before, by a program that is gone or by another one. That one decides nothing more, and begins
     * no request for the job's pods later than a second after this call. Its requests in flight may still take effect; a deletion
     * among them reaches only the pod that was decided about, by its uid.
     *
     * <p>It runs the job that ConfigMap {@code edl-job-NAME} keeps. Write access to that ConfigMap therefore amounts to the right
     * to create the job's pods with this executor's account; {@link #attach(JobPlan)} compares the job with a plan. The log of this
     * class says whose job it takes: its owner, its driver until now and its digest.
     *
     * @param namespace where the job is
     * @param job its name
     * @throws IllegalArgumentException when there is no such job, or it is not the owner's that the options name
     * @throws dev.edl.k8s.render.RenderException when the options of this executor do not fit the job, which goes on as it was
     * @throws KubernetesClientException when the cluster refuses it, or nodes are to be watched and may not be
     */
    public KubernetesRun attach(String namespace, String job) {
        return attach(namespace, job, NO_LISTENER);
    }

    /**
     * Takes a job over, as {@link #attach(String, String)} does.
     *
     * @param namespace where the job is
     * @param job its name
     * @param listener is notified of every event from now on; earlier events are not persisted in the cluster
     */
    public KubernetesRun attach(String namespace, String job, Consumer<JobEvent> listener) {
        return attach(namespace, job, Optional.empty(), listener);
    }

    /** @param digest of the only job that the record may keep; any job when empty */
    KubernetesRun attach(String namespace, String job, Optional<String> digest, Consumer<JobEvent> listener) {
        Objects.requireNonNull(listener, "listener");
        return runs.begin(job, "be attached", () -> takeOver(namespace, job, digest, listener));
    }

    /**
     * Takes a job over by the caller's plan of it, as {@link #ensure} does; starts none.
     *
     * @throws IllegalArgumentException when there is no such job, it is not the owner's that the options name, or its record keeps
     *     another job than the plan's and than that of {@link KubernetesExecutorBuilder#jobDigest}
     */
    public KubernetesRun attach(JobPlan plan) {
        return runs.begin(plan.name(), "be attached", () -> {
            nodes.open(client);
            return goOn(taken(plan).orElseThrow(() -> JobRecord.missing(plan.namespace(), plan.name())), NO_LISTENER);
        });
    }

    private Optional<JobRecord> taken(JobPlan plan) {
        return JobRecord.takeOver(api(plan.namespace()), plan.name(), mark(), found -> {
            options.ownerReference().ifPresent(found::checkOwner);
            found.checkJob(plan, jobDigest);
            PodTemplates.of(found.plan(), options);
        });
    }

    private KubernetesRun takeOver(String namespace, String job, Optional<String> digest, Consumer<JobEvent> listener) {
        nodes.open(client);
        JobRecord record = JobRecord.takeOver(api(namespace), job, mark(), found -> {
                    options.ownerReference().ifPresent(found::checkOwner);
                    digest.ifPresent(found::checkDigest);
                    PodTemplates.of(found.plan(), options);
                    LOG.log(
                            Level.INFO,
                            () -> "takes over job \"" + job + "\" of namespace \"" + namespace + "\", "
                                    + found.whose());
                })
                .orElseThrow(() -> JobRecord.missing(namespace, job));
        return goOn(record, listener);
    }

    private KubernetesRun goOn(JobRecord record, Consumer<JobEvent> listener) {
        complete(record);
        JobPlan plan = record.plan();
        return drive(plan, PodTemplates.of(plan, options), record, record.state(), listener);
    }

    /** Who began it may have gone before all was there. A driver's pod may make pods alone: who handed the job over has seen to it. */
    private void complete(JobRecord record) {
        if (record.state().startedAt().isEmpty() && !mark.startsWith(KubernetesDriver.MARK)) {
            supporting.createMissing(record.plan(), record);
        }
    }

    /**
     * Hands a job over to a pod of its own, which drives it from then on: this program may end. The pod is started again when it
     * fails or its node goes, attaches again, and ends with the job; its account may do what driving this job takes, and
     * nothing else. It is owned by the job's record, and goes with it. {@link #attach} takes the job back, and ends the pod.
     *
     * <p>Returns once the Job of Kubernetes is created that starts the pod. No program drives until the pod runs and the {@code
     * driver} of the job's ConfigMap begins with {@code driver-pod/}.
     *
     * <p>Beside what {@link #submit} asks for, this needs {@code get}, {@code create} and {@code update} of serviceaccounts, roles
     * and rolebindings, {@code get}, {@code list}, {@code watch}, {@code create} and {@code delete} of jobs of group {@code batch}, and
     * each verb that it grants.
     *
     * @param namespace where the job is
     * @param job its name
     * @param driver the pod
     * @throws IllegalArgumentException when there is no such job; or its way of scaling needs more than a driver's pod may do; or the
     *     pods of this executor have options that the driver does not know, or its own
     *     {@link KubernetesExecutorBuilder#nodeNotices} are not the driver's: a class of one's own is not checked for either
     * @throws KubernetesClientException when the cluster refuses an object, or the Job of an earlier driver is not gone after 60 s
     */
    public void handOver(String namespace, String job, DriverPod driver) {
        runs.alone(job, "be handed over", () -> startDriver(namespace, job, driver));
        runs.close(namespace, job);
    }

    private JobRecord startDriver(String namespace, String job, DriverPod driver) {
        JobRecord record = JobRecord.find(api(namespace), job).orElseThrow(() -> JobRecord.missing(namespace, job));
        DriverHandOver handOver = new DriverHandOver(client, options, nodes.own(), settings.forceDelete());
        runs.plan(namespace, job).ifPresent(plan -> record.checkJob(plan, jobDigest));
        handOver.check(record, driver);
        complete(record);
        handOver.start(record, driver);
        return record;
    }

    /**
     * Starts a planned job of the owner that the options name, or takes it over if it was started before. A controller calls this
     * for each object that it finds. Another program that drove the job until then is replaced as by {@link #attach}.
     *
     * @throws dev.edl.k8s.render.RenderException when Kubernetes would not take one of its objects
     * @throws IllegalArgumentException when the options name no owner; or a job of this name is in the namespace, and is not the
     *     owner's or another than the plan's and than that of {@link KubernetesExecutorBuilder#jobDigest}
     * @throws KubernetesClientException when the cluster refuses an object
     */
    public KubernetesRun ensure(JobPlan plan) {
        return runs.begin(plan.name(), "be ensured", () -> startOrGoOn(plan));
    }

    private KubernetesRun startOrGoOn(JobPlan plan) {
        nodes.open(client);
        if (options.ownerReference().isEmpty()) {
            throw new IllegalArgumentException("job \"" + plan.name()
                    + "\" cannot be ensured without an owner; say whose it is by PodOptions.Builder.owner");
        }
        if (!JobRecord.exists(api(plan.namespace()), plan.name())) {
            return start(plan, NO_LISTENER);
        }
        JobRecord record = taken(plan)
                .orElseThrow(() -> new IllegalArgumentException("job \"" + plan.name()
                        + "\" was deleted from namespace \"" + plan.namespace() + "\" just now"));
        return goOn(record, NO_LISTENER);
    }

    /**
     * Removes a job and everything of it from the cluster, whether it has ended or not, and closes the run that drives it here;
     * no effect when there is none. Returns when the cluster has taken it: it removes the pods soon after, each with its grace.
     *
     * @param namespace where the job is
     * @param job its name
     * @throws KubernetesClientException when the cluster refuses it
     */
    public void delete(String namespace, String job) {
        runs.close(namespace, job);
        MissingPermission.telling(() -> client.configMaps()
                .inNamespace(namespace)
                .withName(JobRecord.nameOf(job))
                .delete());
    }

    /**
     * Looks for everything that would stop a job, before anything of it is made. {@link #submit} does not call it, since it may
     * need rights that submitting does not.
     *
     * <pre>{@code
     * executor.preflight(job).throwIfAny();
     * }</pre>
     *
     * @throws KubernetesClientException when the cluster does not answer
     */
    public PreflightReport preflight(Job job) {
        cluster.reach().check();
        return nodes.own() ? Preflight.withNodeNotices(client, job, options) : Preflight.of(client, job, options);
    }

    /**
     * Looks for everything that would stop a planned job, before anything of it is made.
     *
     * @throws KubernetesClientException when the cluster does not answer
     */
    public PreflightReport preflight(JobPlan plan) {
        cluster.reach().check();
        return nodes.own() ? Preflight.withNodeNotices(client, plan, options) : Preflight.of(client, plan, options);
    }

    /** Returns what tells the job of a plan from every other; see {@link KubernetesExecutorBuilder#jobDigest}. */
    public static String digestOf(JobPlan plan) {
        return JobRecord.digest(plan);
    }

    /** The name of the ConfigMap that keeps a job, in the job's namespace. */
    public static String recordOf(String job) {
        return JobRecord.nameOf(job);
    }

    /** Tells one program that drives a job from every other, and from itself when it attaches again. */
    private String mark() {
        return mark + UUID.randomUUID();
    }

    /** The mark of the program that drives a job; empty when there is none. */
    Optional<String> driverOf(String namespace, String job) {
        return JobRecord.find(api(namespace), job).map(JobRecord::driverToken);
    }

    private KubernetesRun drive(
            JobPlan plan, PodTemplates templates, JobRecord record, JobState from, Consumer<JobEvent> listener) {
        // Before anything is begun that would have to be ended.
        WorkerScalingProvider scaling = WorkerScalingProvider.of(plan);
        Optional<URI> board = TensorBoardAddress.of(client, plan, options);
        Optional<NodeWatch> watch = nodes.open(client);
        PodSubstrate substrate = new PodSubstrate(api(plan.namespace()), plan, templates, record, watch, requests);
        SubstrateJobPods pods = new SubstrateJobPods(client, plan, templates, substrate, record.driverToken());
        ControlLoop loop = settings.on(ControlLoop.of(plan, scaling.substrate(pods)), plan, substrate)
                .from(from)
                .applier(requests)
                .onEvent(listener)
                .start();
        KubernetesRun run = new KubernetesRun(loop, pods, board, scaling.start(loop, pods));
        runs.add(run);
        return run;
    }

    private ClusterApi api(String namespace) {
        return ClusterApi.of(client, namespace);
    }

    @Override
    public List<KubernetesRun> jobs() {
        return runs.all();
    }

    /** Stops driving the jobs, and closes the client unless it was handed in; a second call does nothing. */
    @Override
    public void close() {
        List<RuntimeException> failures = new ArrayList<>();
        // Without the lock: a listener of a job may ask this executor something.
        for (KubernetesRun run : runs.end()) {
            try {
                run.close();
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        nodes.close();
        requests.close();
        settings.close();
        cluster.close();
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }
}
