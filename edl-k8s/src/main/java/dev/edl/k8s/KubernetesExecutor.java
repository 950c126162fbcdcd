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
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Executor that runs each replica of a job as a pod on Kubernetes. This program is the driver: it creates, relaunches
 * and deletes the pods, by the same policies as every executor.
 *
 * <pre>{@code
 * try (KubernetesExecutor cluster = KubernetesExecutor.using(client);
 *      KubernetesRun run = cluster.submit(job)) {
 *   run.scale("worker", 6);
 *   JobStatus end = run.await(Duration.ofHours(2));
 * }
 * }</pre>
 *
 * <p><b>Objects in the cluster.</b> ConfigMap {@code edl-job-NAME} is the job's record: it stores the job and its
 * state, and owns every other object of the job. Deleting it deletes them all. After a crash, or from another machine,
 * {@link #attach} takes the job over; finished replicas do not run again.
 *
 * <p><b>Closing.</b> {@link #close} stops driving the jobs. They stay in the cluster and their pods run on. A failed
 * replica is relaunched only after a program attaches. {@link #delete} removes a job.
 *
 * <p><b>Refused and unanswered requests.</b> A failing cluster neither ends a job nor deletes a replica. The client
 * retries a request after a lost connection, 429 or 5xx: ten times within 19 s, unless its
 * {@code requestRetryBackoffLimit} differs. Each try takes at most the client's {@code requestTimeout}. After that,
 * {@link RetryPolicy} retries without end, as {@link KubernetesRun#status} shows. A request whose answer was lost is
 * never carried out twice.
 *
 * <p>All jobs of an executor share one limit of concurrent pod creations and deletions, by default 16; see
 * {@link KubernetesExecutorBuilder#inFlight}.
 *
 * <p>The executor closes its client only if it created it. Thread-safe.
 */
public final class KubernetesExecutor implements JobExecutor {
    private static final Logger LOG = System.getLogger(KubernetesExecutor.class.getName());
    private static final Consumer<JobEvent> NO_LISTENER = event -> {};

    private final ClusterClient cluster;
    private final KubernetesClient client;
    private final PodOptions options;
    private final SupportingObjects supporting;
    private final RequestRetrySettings settings;
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
        this.settings = RequestRetrySettings.of(builder, client);
        this.mark = builder.mark;
        this.jobDigest = builder.jobDigest;
        this.requests = new RequestThreads(builder.inFlight);
        this.nodes = builder.nodes.get();
        this.runs = new RunRegistry(cluster.reach());
    }

    /** Returns a new builder. */
    public static KubernetesExecutorBuilder builder() {
        return new KubernetesExecutorBuilder();
    }

    /** Returns an executor whose pods have no options. The caller closes the client. */
    public static KubernetesExecutor using(KubernetesClient client) {
        return using(client, PodOptions.none());
    }

    /** Returns an executor whose pods have these options. The caller closes the client. */
    public static KubernetesExecutor using(KubernetesClient client, PodOptions options) {
        return builder().client(client).options(options).build();
    }

    /**
     * Returns an executor for the current context of a kubeconfig file. It creates and closes its own client.
     *
     * @throws IllegalArgumentException when the file cannot be read, or has no current context
     */
    public static KubernetesExecutor fromKubeconfig(Path file) {
        return builder().kubeconfig(file).build();
    }

    /**
     * Returns an executor for the given context of a kubeconfig file. It creates and closes its own client.
     *
     * @throws IllegalArgumentException when the file cannot be read, or has no such context
     */
    public static KubernetesExecutor fromKubeconfig(Path file, String context) {
        return builder().kubeconfig(file, context).build();
    }

    /**
     * Returns an executor for kubectl's cluster or, if kubectl has none, for the cluster of the pod that this program
     * runs in. The executor creates and closes its own client.
     *
     * @throws KubernetesClientException when {@code KUBECONFIG}, {@code ~/.kube/config} and a pod's service account
     *     name no cluster
     */
    public static KubernetesExecutor fromEnvironment() {
        return builder().build();
    }

    /**
     * Plans and starts a job. Returns at once.
     *
     * @throws dev.edl.plan.PlanException when the job is well formed but cannot run as specified
     * @throws dev.edl.k8s.render.RenderException when Kubernetes would reject one of its objects
     * @throws IllegalArgumentException when the namespace already has a job of this name
     * @throws KubernetesClientException when the cluster does not answer or refuses an object; the message has the
     *     commands that grant a missing permission
     */
    @Override
    public KubernetesRun submit(Job job) {
        return submit(job.plan());
    }

    /**
     * Plans and starts a job. Returns at once, and fails as {@link #submit(Job)} does.
     *
     * @param listener receives every event from the first on; see {@link JobHandle#onEvent}
     */
    public KubernetesRun submit(Job job, Consumer<JobEvent> listener) {
        return submit(job.plan(), listener);
    }

    /**
     * Starts a planned job. Returns at once.
     *
     * @throws dev.edl.k8s.render.RenderException when Kubernetes would reject one of its objects
     * @throws IllegalArgumentException when the namespace already has a job of this name
     * @throws KubernetesClientException when the cluster refuses an object, or rejects the first pod of a role as
     *     invalid (400, 422); nothing of the job is then left in the cluster
     */
    @Override
    public KubernetesRun submit(JobPlan plan) {
        return submit(plan, NO_LISTENER);
    }

    /**
     * Starts a planned job. Returns at once, and fails as {@link #submit(JobPlan)} does.
     *
     * @param listener receives every event from the first on; see {@link JobHandle#onEvent}
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
        // Checks that all objects can be rendered before any is created in the cluster.
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
     * Takes over a submitted job from a driver that is gone or still running. The replaced driver decides nothing more,
     * and sends no request for the job's pods later than 1 s after this call. Its requests in flight may still take
     * effect. A deletion among them reaches only the intended pod, by its uid.
     *
     * <p>The job comes from ConfigMap {@code edl-job-NAME}. Write access to that ConfigMap therefore amounts to
     * permission to create the job's pods with this executor's account. {@link #attach(JobPlan)} compares the job with
     * a plan. The log of this class names the owner, the previous driver and the digest of each job that it takes over.
     *
     * @param namespace of the job
     * @param job its name
     * @throws IllegalArgumentException when the job does not exist, or does not belong to the owner in the options
     * @throws dev.edl.k8s.render.RenderException when this executor's options do not fit the job, which continues
     *     unchanged
     * @throws KubernetesClientException when the cluster refuses a request, or node notices are set and nodes may not
     *     be watched
     */
    public KubernetesRun attach(String namespace, String job) {
        return attach(namespace, job, NO_LISTENER);
    }

    /**
     * Takes a job over, as {@link #attach(String, String)} does.
     *
     * @param namespace of the job
     * @param job its name
     * @param listener receives every event from now on; earlier events are not persisted in the cluster
     */
    public KubernetesRun attach(String namespace, String job, Consumer<JobEvent> listener) {
        return attach(namespace, job, Optional.empty(), listener);
    }

    /** @param digest digest that the job's record must have; empty accepts any job */
    KubernetesRun attach(String namespace, String job, Optional<String> digest, Consumer<JobEvent> listener) {
        Objects.requireNonNull(listener, "listener");
        return runs.begin(job, "be attached", () -> takeOver(namespace, job, digest, listener));
    }

    /**
     * Takes over the job of the caller's plan, as {@link #ensure} does, but never starts one.
     *
     * @throws IllegalArgumentException when the job does not exist, does not belong to the owner in the options, or its
     *     record differs from both the plan and {@link KubernetesExecutorBuilder#jobDigest}
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

    /**
     * Creates supporting objects that a crashed submit left out. Does nothing in a driver pod, which may create only
     * pods: the program that handed the job over has created the objects.
     */
    private void complete(JobRecord record) {
        if (record.state().startedAt().isEmpty() && !mark.startsWith(KubernetesDriver.MARK)) {
            supporting.createMissing(record.plan(), record);
        }
    }

    /**
     * Hands a job over to a driver pod; this program may then exit. The pod is restarted when it fails or its node is
     * lost, attaches again, and ends with the job. Its account has only the permissions that driving this job needs.
     * The job's record owns the pod. {@link #attach} takes the job back and ends the pod.
     *
     * <p>Returns once the Job of Kubernetes that starts the pod is created. Until the pod runs and the {@code driver}
     * of the job's ConfigMap begins with {@code driver-pod/}, no program drives the job.
     *
     * <p>In addition to the permissions of {@link #submit}, this needs:
     *
     * <ul>
     *   <li>{@code get}, {@code create} and {@code update} of serviceaccounts, roles and rolebindings,
     *   <li>{@code get}, {@code list}, {@code watch}, {@code create} and {@code delete} of jobs of group {@code batch},
     *   <li>each verb that it grants to the driver.
     * </ul>
     *
     * @throws IllegalArgumentException when the job does not exist, when its way of scaling needs more permissions than
     *     a driver pod has, or when the driver lacks the options of this executor's pods or its
     *     {@link KubernetesExecutorBuilder#nodeNotices}; a custom main class is not checked for either
     * @throws KubernetesClientException when the cluster refuses an object, or an earlier driver's Job still exists
     *     after 60 s
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
     * Starts a planned job that belongs to the owner in the executor's options, or takes the job over if it exists. A
     * controller calls this for each of its objects. Replaces another driver of the job as {@link #attach} does.
     *
     * @throws dev.edl.k8s.render.RenderException when Kubernetes would reject one of its objects
     * @throws IllegalArgumentException when the options have no owner, or the namespace has a job of this name that
     *     belongs to another owner or differs from both the plan and {@link KubernetesExecutorBuilder#jobDigest}
     * @throws KubernetesClientException when the cluster refuses an object
     */
    public KubernetesRun ensure(JobPlan plan) {
        return runs.begin(plan.name(), "be ensured", () -> startOrGoOn(plan));
    }

    private KubernetesRun startOrGoOn(JobPlan plan) {
        nodes.open(client);
        if (options.ownerReference().isEmpty()) {
            throw new IllegalArgumentException("job \"" + plan.name()
                    + "\" cannot be ensured without an owner; set one with PodOptions.Builder.owner");
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
     * Removes a job with all its objects from the cluster, ended or not, and closes the run that drives it here. Does
     * nothing when there is none. Returns when the cluster has accepted the deletion; the pods follow, each with its
     * grace period.
     *
     * @throws KubernetesClientException when the cluster refuses the deletion
     */
    public void delete(String namespace, String job) {
        runs.close(namespace, job);
        QuotaRelease.of(client, api(namespace), job);
        MissingPermission.callWithGrantCommand(() -> client.configMaps()
                .inNamespace(namespace)
                .withName(JobRecord.nameOf(job))
                .delete());
    }

    /**
     * Checks for everything that would stop a job, before any object is created. {@link #submit} does not call it,
     * because it may need permissions that submitting does not.
     *
     * <pre>{@code
     * executor.preflight(job).throwIfAny();
     * }</pre>
     *
     * @throws KubernetesClientException when the cluster does not answer
     */
    public PreflightReport preflight(Job job) {
        return nodes.own() ? Preflight.withNodeNotices(client(), job, options) : Preflight.of(client(), job, options);
    }

    /** Checks a planned job; throws as {@link #preflight(Job)}. */
    public PreflightReport preflight(JobPlan plan) {
        return nodes.own() ? Preflight.withNodeNotices(client(), plan, options) : Preflight.of(client(), plan, options);
    }

    /**
     * Returns a client that reads a job's status and logs without taking the job over. Needs permission to {@code get}
     * its record.
     *
     * @throws IllegalArgumentException when the job does not exist
     */
    public JobClient find(String namespace, String job) {
        return JobClient.find(client(), namespace, job);
    }

    /** Returns clients of the jobs of a namespace, sorted by name. Needs permission to {@code list} configmaps. */
    public List<JobClient> list(String namespace) {
        return JobClient.list(client(), namespace);
    }

    /**
     * Returns the client of the cluster; throws as {@link #preflight(Job)}. It is closed with this executor unless the
     * caller created it.
     */
    public KubernetesClient client() {
        cluster.reach().check();
        return client;
    }

    /** Returns the namespace of the client's context; {@code default} if it has none. */
    public String namespace() {
        return Optional.ofNullable(client.getNamespace()).orElse("default");
    }

    /** Returns the digest that identifies a plan's job; see {@link KubernetesExecutorBuilder#jobDigest}. */
    public static String digestOf(JobPlan plan) {
        return JobRecord.digest(plan);
    }

    /** Returns the name of a job's record: the ConfigMap in the job's namespace. */
    public static String recordOf(String job) {
        return JobRecord.nameOf(job);
    }

    /** Returns a new driver token. Each start or attach of a job gets another one. */
    private String mark() {
        return mark + UUID.randomUUID();
    }

    /** Returns the token of the job's driver; empty when no program drives it. */
    Optional<String> driverOf(String namespace, String job) {
        return JobRecord.find(api(namespace), job).map(JobRecord::driverToken);
    }

    private KubernetesRun drive(
            JobPlan plan, PodTemplates templates, JobRecord record, JobState from, Consumer<JobEvent> listener) {
        // Before a run exists that a failure would have to close.
        WorkerScalingProvider scaling = WorkerScalingProvider.of(plan);
        Optional<URI> board = TensorBoardAddress.of(client, plan, options);
        Optional<NodeWatch> watch = nodes.open(client);
        PodSubstrate substrate = new PodSubstrate(api(plan.namespace()), plan, templates, record, watch, requests);
        SubstratePodAccess pods = new SubstratePodAccess(client, plan, templates, substrate, record.driverToken());
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

    /**
     * Stops driving all jobs of this executor, whose pods run on. Closes the client if this executor created it. A
     * second call does nothing.
     */
    @Override
    public void close() {
        try {
            runs.end();
        } finally {
            nodes.close();
            requests.close();
            settings.close();
            cluster.close();
        }
    }
}
