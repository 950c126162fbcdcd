package dev.edl.operators;

import dev.edl.Job;
import dev.edl.exec.ControlLoop;
import dev.edl.exec.JobExecutor;
import dev.edl.k8s.client.ConflictReasons;
import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.spi.ReplacedRuns;
import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.internal.ResourceMetadata;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Hands jobs to an operator in the cluster: each is written as the operator's custom resource, and the operator runs it. This
 * program follows how it stands, and may leave.
 *
 * <pre>{@code
 * try (CustomResourceExecutor operator = CustomResourceExecutor.using(client, JobResource.kubeflowTfJob());
 *      CustomResourceRun run = operator.submit(job)) {
 *   run.losses().forEach(System.out::println);   // what a TFJob does not say of the job
 *   JobStatus end = run.await(Duration.ofHours(2));
 * }
 * }</pre>
 *
 * <p><b>Whose rules.</b> What is relaunched, and how the job ends, is the operator's to decide, as far as the resource does not
 * say it. What the resource cannot say of the job is in {@link CustomResourceRun#losses}, and the first events tell it; what
 * would make another job of it is refused before anything is in the cluster.
 *
 * <p><b>What lies in the cluster.</b> The resource, by the job's name, with the job in its annotation {@code edl.dev/job}, so that
 * {@link #attach} follows it by the plan that was submitted; and what the operator makes of it, which goes with it.
 *
 * <p>The client is the caller's, and is not closed here. Thread-safe.
 */
public final class CustomResourceExecutor implements JobExecutor {
    /** Of the 256 KiB that the annotations of an object may have. */
    private static final int LONGEST = 128 * 1024;

    private final KubernetesClient client;
    private final JobResource resource;
    private final PodOptions options;
    private final Map<String, CustomResourceRun> runs = new LinkedHashMap<>();
    /** Whose job another run follows now: to be closed. */
    private final ReplacedRuns replaced = new ReplacedRuns();

    private boolean closed;

    private CustomResourceExecutor(KubernetesClient client, JobResource resource, PodOptions options) {
        this.client = Objects.requireNonNull(client, "client");
        this.resource = Objects.requireNonNull(resource, "resource");
        this.options = Objects.requireNonNull(options, "options");
    }

    /** An executor whose pods have nothing beside what their jobs say. */
    public static CustomResourceExecutor using(KubernetesClient client, JobResource resource) {
        return using(client, resource, PodOptions.none());
    }

    /** An executor whose pods have these options, too. */
    public static CustomResourceExecutor using(KubernetesClient client, JobResource resource, PodOptions options) {
        return new CustomResourceExecutor(client, resource, options);
    }

    /**
     * What {@link #submit(Job)} would create, and what it does not say of the job; asks nothing of the cluster.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when the job cannot be such a resource
     * @throws dev.edl.plan.PlanException when the job cannot run as it is
     */
    public ResourceWriteResult write(Job job) {
        return resource.write(job, job.plan(resource.profile()), options);
    }

    /**
     * Plans a job as its operator will run it, creates its resource and returns at once.
     *
     * @throws dev.edl.plan.PlanException when the job is well formed but cannot run as it is
     * @throws dev.edl.operators.crd.InvalidResourceException when the job cannot be such a resource
     * @throws IllegalArgumentException when a resource of this name is in the namespace
     * @throws IllegalStateException when the cluster does not know the resource, with what to install
     * @throws KubernetesClientException when the cluster refuses it
     */
    @Override
    public CustomResourceRun submit(Job job) {
        return submit(job.plan(resource.profile()));
    }

    /**
     * Creates the resource of a planned job and returns at once.
     *
     * @param plan as the operator makes it: {@code job.plan(resource.profile())}
     * @throws dev.edl.operators.crd.InvalidResourceException when the job cannot be such a resource
     * @throws IllegalArgumentException when the plan is another one, or a resource of this name is in the namespace
     * @throws IllegalStateException when the cluster does not know the resource, with what to install
     * @throws KubernetesClientException when the cluster refuses it
     */
    @Override
    public CustomResourceRun submit(JobPlan plan) {
        return replacing(() -> start(plan));
    }

    private CustomResourceRun start(JobPlan plan) {
        open(plan.name(), "start");
        if (!plan.equals(Job.of(plan.spec()).plan(resource.profile()))) {
            throw new IllegalArgumentException("job \"" + plan.name() + "\": the operator of a " + resource
                    + " makes names and addresses of its own, those of job.plan(Profile." + resource.profile()
                    + "), and this is another plan, by the profile " + plan.profile());
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
        // A longer one is read back from the resource, as far as that says it.
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
                // The client asks again where an answer was lost, of what was done then.
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
        return "job \"" + name + "\" is in namespace \"" + namespace + "\" already: "
                + (there != null && there.getMetadata().getDeletionTimestamp() != null
                        ? what + " is being removed; submit the job when it is gone"
                        : "there is " + what + "; attach(\"" + namespace + "\", \"" + name + "\") follows it, delete(\""
                                + namespace + "\", \"" + name + "\") removes it");
    }

    /** Throws when the cluster does not know the resource at all. */
    private void unknown(String job, KubernetesClientException cause) {
        ServedKinds.missing(client, resource).ifPresent(why -> {
            throw new IllegalStateException("job \"" + job + "\" cannot be a " + resource + ": " + why, cause);
        });
    }

    /**
     * Follows a job that was submitted before, by a program that is gone, by another one or by {@code kubectl create}; that
     * others follow it as well is no harm.
     *
     * @param namespace where the job is
     * @param job its name
     * @throws IllegalArgumentException when there is no such resource
     * @throws dev.edl.operators.crd.InvalidResourceException when one that EDL did not write cannot be read as a job
     * @throws IllegalStateException when the cluster does not know the resource, with what to install; or its operator has not
     *     taken it up yet, and writes something into it that the plan needs
     * @throws KubernetesClientException when the cluster refuses it
     */
    public CustomResourceRun attach(String namespace, String job) {
        return replacing(() -> goOn(namespace, job));
    }

    private CustomResourceRun goOn(String namespace, String job) {
        open(job, "be attached");
        GenericKubernetesResource there = in(namespace).withName(job).get();
        if (there == null) {
            ServedKinds.missing(client, resource).ifPresent(why -> {
                throw new IllegalStateException("job \"" + job + "\" cannot be a " + resource + ": " + why);
            });
            throw new IllegalArgumentException("job \"" + job + "\" is not in namespace \"" + namespace
                    + "\": there is no " + resource.named(namespace, job));
        }
        return follow(job(there).plan(resource.profile()), there, List.of());
    }

    private Job job(GenericKubernetesResource there) {
        Optional<Job> kept = Optional.ofNullable(there.getMetadata().getAnnotations())
                .map(notes -> notes.get(ResourceMetadata.JOB))
                .map(Job::fromYaml)
                // A manifest that was copied under another name has the note of the first.
                .filter(job -> job.name().equals(there.getMetadata().getName())
                        && job.namespace().equals(there.getMetadata().getNamespace()));
        if (kept.isPresent()) {
            return kept.get();
        }
        Job read = resource.read(CustomObject.of(there)).job();
        if (resource.saysRunId() && read.spec().runId().isEmpty()) {
            throw new IllegalStateException("job \"" + read.name() + "\" cannot be attached yet: "
                    + resource.named(read.namespace(), read.name())
                    + " has no spec.RuntimeId, which its operator writes when it takes it up");
        }
        return read;
    }

    private CustomResourceRun follow(JobPlan plan, GenericKubernetesResource there, List<ConversionLoss> losses) {
        CustomResourceSubstrate substrate = new CustomResourceSubstrate(client, plan, resource, there);
        List<String> untold = losses.stream()
                .map(loss -> "not said by the " + resource.kind() + ": " + loss)
                .toList();
        ControlLoop loop = ControlLoop.of(plan, substrate)
                .reconciler(new OperatorStatusReconciler(
                        resource.named(plan.namespace(), plan.name()), substrate::latest, untold))
                .start();
        CustomResourceRun run = new CustomResourceRun(client, resource, substrate, loop, losses);
        CustomResourceRun earlier = runs.put(plan.namespace() + "/" + plan.name(), run);
        if (earlier != null) {
            // Of a job that is gone from the cluster, or that is attached again.
            replaced.add(earlier);
        }
        return run;
    }

    /** Follows a job, and closes what followed it here until then without the lock: a listener of it may ask this executor something. */
    private CustomResourceRun replacing(Supplier<CustomResourceRun> follow) {
        try {
            synchronized (this) {
                return MissingPermission.telling(follow);
            }
        } finally {
            replaced.close();
        }
    }

    /**
     * Removes a job's resource and all that the operator made of it, whether it has ended or not; no effect when there is none.
     *
     * @param namespace where the job is
     * @param job its name
     * @throws KubernetesClientException when the cluster refuses it
     */
    public void delete(String namespace, String job) {
        CustomResourceRun run;
        synchronized (this) {
            run = runs.remove(namespace + "/" + job);
        }
        if (run != null) {
            run.close();
        }
        MissingPermission.telling(() -> {
            Optional.ofNullable(in(namespace).withName(job).get())
                    .ifPresent(there -> CustomResourceRun.remove(client, resource, there));
        });
    }

    private NonNamespaceOperation<
                    GenericKubernetesResource, ?, io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource>>
            in(String namespace) {
        return client.genericKubernetesResources(resource.context()).inNamespace(namespace);
    }

    private void open(String job, String what) {
        if (closed) {
            throw new IllegalStateException("job \"" + job + "\" cannot " + what + ": the executor is closed");
        }
    }

    @Override
    public synchronized List<CustomResourceRun> jobs() {
        return List.copyOf(runs.values());
    }

    /** Stops following the jobs, which their operators go on with; the client stays open. */
    @Override
    public void close() {
        List<RuntimeException> failures = new ArrayList<>();
        // Without the lock, as in replacing.
        for (CustomResourceRun run : runsAtEnd()) {
            try {
                run.close();
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    private synchronized List<CustomResourceRun> runsAtEnd() {
        closed = true;
        return jobs();
    }
}
