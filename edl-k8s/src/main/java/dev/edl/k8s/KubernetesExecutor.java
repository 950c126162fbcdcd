package dev.edl.k8s;

import dev.edl.Job;
import dev.edl.exec.ControlLoop;
import dev.edl.exec.JobExecutor;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.render.Workload;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

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
 * <p><b>Closing.</b> {@link #close} stops driving the jobs; they stay in the cluster, their pods run on, and nobody relaunches
 * what fails until a program attaches. {@link #delete} removes a job.
 *
 * <p>The client is the caller's, and is not closed here. Thread-safe.
 */
public final class KubernetesExecutor implements JobExecutor {
    private final KubernetesClient client;
    private final PodOptions options;
    private final Map<String, KubernetesRun> runs = new LinkedHashMap<>();
    private boolean closed;

    private KubernetesExecutor(KubernetesClient client, PodOptions options) {
        this.client = Objects.requireNonNull(client, "client");
        this.options = Objects.requireNonNull(options, "options");
    }

    /** An executor whose pods have nothing beside what their jobs say. */
    public static KubernetesExecutor using(KubernetesClient client) {
        return using(client, PodOptions.none());
    }

    /** An executor whose pods have these options, too. */
    public static KubernetesExecutor using(KubernetesClient client, PodOptions options) {
        return new KubernetesExecutor(client, options);
    }

    /**
     * Plans a job, starts it and returns at once.
     *
     * @throws dev.edl.plan.PlanException when the job is well formed but cannot run as it is
     * @throws dev.edl.k8s.render.RenderException when Kubernetes would not take one of its objects
     * @throws IllegalArgumentException when a job of this name is in the namespace
     * @throws KubernetesClientException when the cluster refuses an object
     */
    @Override
    public KubernetesRun submit(Job job) {
        return submit(job.plan());
    }

    /**
     * Starts a planned job and returns at once.
     *
     * @throws dev.edl.k8s.render.RenderException when Kubernetes would not take one of its objects
     * @throws IllegalArgumentException when a job of this name is in the namespace
     * @throws KubernetesClientException when the cluster refuses an object
     */
    @Override
    public synchronized KubernetesRun submit(JobPlan plan) {
        open(plan.name(), "start");
        PodTemplates templates = PodTemplates.of(plan, options);
        // Before anything is made in the cluster: every object of the job can be rendered.
        Manifests.of(plan, options, Workload.PODS).objects();
        JobState state = JobState.initial(plan);
        JobRecord record = JobRecord.create(client, plan, state, mark());
        boolean made = false;
        try {
            PodOptions owned = options.toBuilder().owner(record.object()).build();
            Manifests.of(plan, owned, Workload.PODS).objects().stream()
                    .filter(object -> !(object instanceof Pod))
                    .forEach(this::make);
            KubernetesRun run = drive(plan, templates, record, state);
            made = true;
            return run;
        } finally {
            if (!made) {
                record.collect();
            }
        }
    }

    /**
     * Goes on with a job that was submitted before, by a program that is gone or by another one: that one can change nothing
     * of the job from then on.
     *
     * @param namespace where the job is
     * @param job its name
     * @throws IllegalArgumentException when there is no such job
     * @throws dev.edl.k8s.render.RenderException when the options of this executor do not fit the job, which goes on as it was
     */
    public synchronized KubernetesRun attach(String namespace, String job) {
        open(job, "be attached");
        JobRecord record = JobRecord.takeOver(client, namespace, job, mark(), plan -> PodTemplates.of(plan, options))
                .orElseThrow(() -> new IllegalArgumentException("job \"" + job + "\" is not in namespace \"" + namespace
                        + "\"; a job that was submitted there has a ConfigMap " + JobRecord.nameOf(job)));
        JobPlan plan = record.plan();
        return drive(plan, PodTemplates.of(plan, options), record, record.state());
    }

    /**
     * Removes a job and everything of it from the cluster; no effect when there is none.
     *
     * @param namespace where the job is
     * @param job its name
     */
    public synchronized void delete(String namespace, String job) {
        KubernetesRun run = runs.remove(namespace + "/" + job);
        if (run != null) {
            run.close();
        }
        client.configMaps()
                .inNamespace(namespace)
                .withName(JobRecord.nameOf(job))
                .delete();
    }

    /** Tells one program that drives a job from every other, and from itself when it attaches again. */
    private static String mark() {
        return UUID.randomUUID().toString();
    }

    private void open(String job, String what) {
        if (closed) {
            throw new IllegalStateException("job \"" + job + "\" cannot " + what + ": the executor is closed");
        }
    }

    private void make(HasMetadata object) {
        try {
            client.resource(object).create();
        } catch (KubernetesClientException e) {
            // What all jobs share, as a PriorityClass, may be there.
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT
                    || object.getMetadata().getNamespace() != null) {
                throw e;
            }
        }
    }

    private KubernetesRun drive(JobPlan plan, PodTemplates templates, JobRecord record, JobState from) {
        KubernetesRun earlier = runs.remove(key(plan));
        if (earlier != null) {
            // Of a job that is gone from the cluster, or that is attached again.
            earlier.close();
        }
        PodSubstrate substrate = new PodSubstrate(client, plan, templates, record);
        ControlLoop loop =
                ControlLoop.of(plan, substrate).from(from).journal(record::save).start();
        KubernetesRun run = new KubernetesRun(loop, substrate);
        runs.put(key(plan), run);
        return run;
    }

    private static String key(JobPlan plan) {
        return plan.namespace() + "/" + plan.name();
    }

    @Override
    public synchronized List<KubernetesRun> jobs() {
        return List.copyOf(runs.values());
    }

    @Override
    public synchronized void close() {
        closed = true;
        runs.values().forEach(KubernetesRun::close);
    }
}
