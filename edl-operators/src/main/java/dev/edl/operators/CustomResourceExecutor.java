package dev.edl.operators;

import dev.edl.Job;
import dev.edl.exec.ControlLoop;
import dev.edl.exec.ExecutorRuns;
import dev.edl.exec.JobExecutor;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.client.ConflictReasons;
import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.spi.ObservedPod;
import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.internal.ResourceMetadata;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobObservation;
import dev.edl.reconcile.JobState;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Runs jobs through an operator of the cluster. The executor writes each job as the operator's custom resource, and the
 * operator runs it. This program watches the job, and may exit while the job runs.
 *
 * <pre>{@code
 * try (CustomResourceExecutor operator = CustomResourceExecutor.using(client, CustomResourceKind.kubeflowTfJob());
 *      CustomResourceRun run = operator.submit(job)) {
 *   run.losses().forEach(System.out::println);   // settings of the job that a TFJob cannot express
 *   JobStatus end = run.await(Duration.ofHours(2));
 * } }</pre>
 *
 * <p><b>Rules.</b> The operator decides which replicas it relaunches and how the job ends, except where a field of the
 * resource sets it. {@link CustomResourceRun#losses} lists what the resource cannot express, and the first events
 * report it. If a loss would change the job itself, {@link #submit(Job)} throws before it creates anything in the
 * cluster.
 *
 * <p><b>Objects in the cluster.</b> The resource has the job's name. Its annotation {@code edl.dev/job} holds the job,
 * so that {@link #attach} uses the submitted plan. A job of 128 Ki characters or more gets no annotation;
 * {@link #attach} then reads it from the resource, without the losses. The operator's objects are deleted with the
 * resource.
 *
 * <p>The caller owns the client; this executor does not close it. Thread-safe.
 */
public final class CustomResourceExecutor implements JobExecutor {
    /**
     * Length of a job's YAML, in characters, from which the resource gets no annotation with the job. Kubernetes
     * permits 256 KiB for all annotations of an object.
     */
    private static final int LONGEST = 128 * 1024;

    private final KubernetesClient client;
    private final CustomResourceKind resource;
    private final PodOptions options;
    private final ExecutorRuns<CustomResourceRun> runs = new ExecutorRuns<>();

    private CustomResourceExecutor(KubernetesClient client, CustomResourceKind resource, PodOptions options) {
        this.client = Objects.requireNonNull(client, "client");
        this.resource = Objects.requireNonNull(resource, "resource");
        this.options = Objects.requireNonNull(options, "options");
    }

    /** Returns an executor that writes jobs as a kind of custom resource, without additional pod options. */
    public static CustomResourceExecutor using(KubernetesClient client, CustomResourceKind resource) {
        return using(client, resource, PodOptions.none());
    }

    /**
     * Returns an executor that writes jobs as a resource.
     *
     * @param resource kind of custom resource
     * @param options settings added to the pods of every job
     */
    public static CustomResourceExecutor using(
            KubernetesClient client, CustomResourceKind resource, PodOptions options) {
        return new CustomResourceExecutor(client, resource, options);
    }

    /**
     * Returns the resource that {@link #submit(Job)} would create, and the settings of the job that it cannot express.
     * Sends no request.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when the resource cannot express the job
     * @throws dev.edl.plan.PlanException when the job cannot run as it is
     */
    public ResourceWriteResult write(Job job) {
        return resource.write(job, job.plan(resource.profile()), options);
    }

    /**
     * Plans a job with the operator's profile, creates the job's resource, and returns without waiting for the
     * operator.
     *
     * @throws dev.edl.plan.PlanException when the job is well formed but cannot run as it is
     * @throws dev.edl.operators.crd.InvalidResourceException when the resource cannot express the job
     * @throws IllegalArgumentException when a resource of this name exists in the namespace
     * @throws IllegalStateException when the cluster does not serve the resource; the message names what to install
     * @throws KubernetesClientException when the API server rejects the request
     */
    @Override
    public CustomResourceRun submit(Job job) {
        return submit(job.plan(resource.profile()));
    }

    /**
     * Creates the resource of a planned job, and returns without waiting for the operator.
     *
     * @param plan plan of the job with the operator's profile, as {@code job.plan(resource.profile())} returns it
     * @throws dev.edl.operators.crd.InvalidResourceException when the resource cannot express the job
     * @throws IllegalArgumentException when the plan differs from that of the operator's profile, or a resource of this
     *     name exists in the namespace
     * @throws IllegalStateException when the cluster does not serve the resource; the message names what to install
     * @throws KubernetesClientException when the API server rejects the request
     */
    @Override
    public CustomResourceRun submit(JobPlan plan) {
        return runs.submit(() -> MissingPermission.callWithGrantCommand(() -> start(plan)));
    }

    private CustomResourceRun start(JobPlan plan) {
        runs.checkOpen(plan.name(), "start");
        if (!plan.equals(Job.of(plan.spec()).plan(resource.profile()))) {
            throw new IllegalArgumentException("job \"" + plan.name() + "\": the operator of a " + resource
                    + " sets names and addresses itself, those of job.plan(Profile." + resource.profile()
                    + "); this plan differs and has the profile " + plan.profile());
        }
        Job job = Job.of(plan.spec());
        ResourceWriteResult result = resource.write(job, plan, options);
        GenericKubernetesResource there =
                create(plan, kept(job, result.resource().toKubernetes()));
        try {
            return follow(plan, there, result.losses());
        } catch (RuntimeException e) {
            // submit fails, so its caller gets no run to cancel: the resource is deleted here.
            try {
                CustomResourceRun.remove(client, resource, there);
            } catch (RuntimeException more) {
                e.addSuppressed(more);
            }
            throw e;
        }
    }

    private static GenericKubernetesResource kept(Job job, GenericKubernetesResource object) {
        String text = job.toYaml();
        Map<String, String> notes = object.getMetadata().getAnnotations();
        Map<String, String> more = new LinkedHashMap<>(notes == null ? Map.of() : notes);
        more.put(ResourceMetadata.SUBMISSION, UUID.randomUUID().toString());
        // attach reads a longer job from the resource itself, without what the resource cannot express.
        if (text.length() < LONGEST) {
            more.put(ResourceMetadata.JOB, text);
        }
        object.getMetadata().setAnnotations(more);
        return object;
    }

    private GenericKubernetesResource create(JobPlan plan, GenericKubernetesResource object) {
        try {
            return in(plan.namespace()).resource(object).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                unknown(plan.name(), e);
            }
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                // After a lost response the client repeats the request; a conflict may then be this program's own
                // creation.
                return own(plan, object)
                        .orElseThrow(() -> ConflictReasons.exists(e)
                                ? new IllegalArgumentException(there(plan.namespace(), plan.name()), e)
                                : e);
            }
            throw e;
        }
    }

    private Optional<GenericKubernetesResource> own(JobPlan plan, GenericKubernetesResource made) {
        return Optional.ofNullable(in(plan.namespace()).withName(plan.name()).get())
                .filter(there ->
                        submission(made).isPresent() && submission(made).equals(submission(there)));
    }

    private static Optional<String> submission(GenericKubernetesResource object) {
        return Optional.ofNullable(object.getMetadata().getAnnotations())
                .map(notes -> notes.get(ResourceMetadata.SUBMISSION));
    }

    private String there(String namespace, String name) {
        GenericKubernetesResource there = in(namespace).withName(name).get();
        String what = resource.named(namespace, name);
        return "job \"" + name + "\" already exists in namespace \"" + namespace + "\": "
                + (there != null && there.getMetadata().getDeletionTimestamp() != null
                        ? what + " is being deleted; submit the job after that"
                        : "there is " + what + "; attach(\"" + namespace + "\", \"" + name + "\") attaches, delete(\""
                                + namespace + "\", \"" + name + "\") deletes it");
    }

    /**
     * Throws an IllegalStateException that names what to install, if the cluster does not serve the resource. Otherwise
     * returns, and the caller throws the cause.
     */
    private void unknown(String job, KubernetesClientException cause) {
        MissingApiAdvice.of(client, resource).ifPresent(why -> {
            throw new IllegalStateException("job \"" + job + "\" cannot be a " + resource + ": " + why, cause);
        });
    }

    /**
     * Attaches to a job that this or another program submitted, or that {@code kubectl create} created. Several
     * programs may follow the same job.
     *
     * @param namespace namespace of the job
     * @param job name of the job
     * @throws IllegalArgumentException when the namespace has no resource with the job's name
     * @throws dev.edl.operators.crd.InvalidResourceException when EDL did not write the resource and cannot read it as
     *     a job
     * @throws IllegalStateException when the cluster does not serve the resource, and the message names what to
     *     install; or when the operator has not yet set a field that the plan needs
     * @throws KubernetesClientException when the API server rejects the request
     */
    public CustomResourceRun attach(String namespace, String job) {
        return runs.submit(() -> MissingPermission.callWithGrantCommand(() -> goOn(namespace, job)));
    }

    private CustomResourceRun goOn(String namespace, String job) {
        runs.checkOpen(job, "be attached");
        GenericKubernetesResource there = in(namespace).withName(job).get();
        if (there == null) {
            MissingApiAdvice.of(client, resource).ifPresent(why -> {
                throw new IllegalStateException("job \"" + job + "\" cannot be a " + resource + ": " + why);
            });
            throw missing(namespace, job);
        }
        return follow(job(there).plan(resource.profile()), there, List.of());
    }

    private IllegalArgumentException missing(String namespace, String job) {
        return new IllegalArgumentException("job \"" + job + "\" does not exist in namespace \"" + namespace
                + "\": there is no " + resource.named(namespace, job));
    }

    private Job job(GenericKubernetesResource there) {
        Job read = read(there);
        if (resource.saysRunId() && kept(there).isEmpty() && read.spec().runId().isEmpty()) {
            throw new IllegalStateException("job \"" + read.name() + "\" cannot be attached yet: "
                    + resource.named(read.namespace(), read.name())
                    + " has no spec.RuntimeId; its operator sets it when it first reconciles the object");
        }
        return read;
    }

    private Job read(GenericKubernetesResource there) {
        return kept(there).orElseGet(() -> resource.read(CustomObject.of(there)).job());
    }

    private static Optional<Job> kept(GenericKubernetesResource there) {
        return Optional.ofNullable(there.getMetadata().getAnnotations())
                .map(notes -> notes.get(ResourceMetadata.JOB))
                .map(Job::fromYaml)
                // A manifest copied under another name still has the first job's annotation.
                .filter(job -> job.name().equals(there.getMetadata().getName())
                        && job.namespace().equals(there.getMetadata().getNamespace()));
    }

    private CustomResourceRun follow(JobPlan plan, GenericKubernetesResource there, List<ConversionLoss> losses) {
        CustomResourceSubstrate substrate = new CustomResourceSubstrate(client, plan, resource, there);
        List<String> untold = losses.stream()
                .map(loss -> "not expressed by the " + resource.kind() + ": " + loss)
                .toList();
        ControlLoop loop = ControlLoop.of(plan, substrate)
                .reconciler(new DelegatedJobReconciler(
                        resource.named(plan.namespace(), plan.name()), substrate::latest, untold))
                .start();
        CustomResourceRun run = new CustomResourceRun(client, resource, substrate, loop, losses);
        // In place of an earlier run, whose job was deleted from the cluster or is attached again.
        runs.put(plan.namespace() + "/" + plan.name(), run);
        return run;
    }

    /**
     * Returns the UID of the resource with the job's name. Empty if there is none, or the cluster does not serve the
     * resource. Needs permission to {@code get} the resource.
     */
    public Optional<String> uid(String namespace, String job) {
        return MissingPermission.callWithGrantCommand(
                () -> Optional.ofNullable(in(namespace).withName(job).get())
                        .map(there -> there.getMetadata().getUid()));
    }

    /**
     * Returns the status of a job from its resource and pods, without a watch. Needs permission to {@code get} the
     * resource and to {@code list} pods.
     *
     * @throws IllegalArgumentException when the namespace has no resource with the job's name, or the resource is no
     *     job
     * @throws KubernetesClientException when the API server rejects a request
     */
    public JobStatus status(String namespace, String job) {
        return MissingPermission.callWithGrantCommand(() -> {
            GenericKubernetesResource there = in(namespace).withName(job).get();
            if (there == null) {
                throw missing(namespace, job);
            }
            JobPlan plan = read(there).plan(resource.profile());
            List<ObservedPod> pods = pods(plan, there.getMetadata().getUid());
            Instant now = Instant.now();
            JobState state = DelegatedJobReconciler.once(
                    resource.named(namespace, job),
                    plan,
                    new DelegatedJobReconciler.Observation(
                            Optional.of(CustomResourceState.of(resource, plan, there)), pods),
                    now);
            JobObservation seen =
                    new JobObservation(pods.stream().map(ObservedPod::replica).toList());
            return JobStatus.of(plan, state, seen, now);
        });
    }

    private List<ObservedPod> pods(JobPlan plan, String uid) {
        OperatorPods labels = resource.pods();
        PodList list = client.pods()
                .inNamespace(plan.namespace())
                .withLabels(labels.selector(plan))
                .list();
        return list.getItems().stream()
                .flatMap(pod -> labels.replica(pod, resource.kind(), uid).stream())
                .toList();
    }

    /**
     * Deletes a job's resource and everything that the operator made for it, whether or not the job has ended. No
     * effect when the resource does not exist.
     *
     * @param namespace namespace of the job
     * @param job name of the job
     * @throws KubernetesClientException when the API server rejects the request
     */
    public void delete(String namespace, String job) {
        runs.close(namespace + "/" + job);
        MissingPermission.callWithGrantCommand(() -> {
            Optional.ofNullable(in(namespace).withName(job).get())
                    .ifPresent(there -> CustomResourceRun.remove(client, resource, there));
        });
    }

    private NonNamespaceOperation<
                    GenericKubernetesResource, ?, io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource>>
            in(String namespace) {
        return client.genericKubernetesResources(resource.context()).inNamespace(namespace);
    }

    @Override
    public List<CustomResourceRun> jobs() {
        return runs.all();
    }

    /** Closes all runs; their operators continue to run the jobs. The client stays open. */
    @Override
    public void close() {
        runs.end(CustomResourceRun::close);
    }
}
