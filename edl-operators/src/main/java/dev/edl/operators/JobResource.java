package dev.edl.operators;

import dev.edl.Framework;
import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceStatus;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.et.TrainingJobStatus;
import dev.edl.operators.crd.et.TrainingJobs;
import dev.edl.operators.crd.kubeflow.KubeflowMxJobs;
import dev.edl.operators.crd.kubeflow.KubeflowStatus;
import dev.edl.operators.crd.kubeflow.KubeflowTfJobs;
import dev.edl.operators.crd.kubeflow.MpiJobVersion;
import dev.edl.operators.crd.kubeflow.MpiJobs;
import dev.edl.operators.crd.kubeflow.PyTorchJobs;
import dev.edl.operators.crd.mxjob.MxJobGroup;
import dev.edl.operators.crd.mxjob.MxJobStatus;
import dev.edl.operators.crd.mxjob.MxJobs;
import dev.edl.operators.crd.tfjob.TfJobGeneration;
import dev.edl.operators.crd.tfjob.TfJobStatus;
import dev.edl.operators.crd.tfjob.TfJobs;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A custom resource that a {@link CustomResourceExecutor} can hand a job over as, and with it the operator that runs the job.
 *
 * <table><caption>What an operator can do for a job that runs</caption>
 * <tr><th>resource</th><th>{@code scale}</th><th>{@code suspend}, {@code resume}</th></tr>
 * <tr><td>{@link #kubeflowTfJob}, {@link #kubeflowPyTorchJob}, {@link #kubeflowMpiJob}</td>
 *     <td>workers that are elastic: the number in the resource</td><td>{@code runPolicy.suspend}</td></tr>
 * <tr><td>{@link #kubeflowMxJob}</td><td>no</td><td>{@code runPolicy.suspend}</td></tr>
 * <tr><td>{@link #trainingJob}</td><td>workers that are elastic: a ScaleIn or ScaleOut</td><td>no</td></tr>
 * <tr><td>{@link #tfJob}, {@link #mxJob}</td><td>no</td><td>no</td></tr>
 * </table>
 *
 * <p>A constant of its system; immutable, safe for use by several threads.
 */
public final class JobResource {
    private static final String TRAINING_OPERATOR =
            "Kubeflow's training operator brings it: kubectl apply --server-side -k"
                    + " \"github.com/kubeflow/training-operator.git/manifests/overlays/standalone?ref=v1.8.1\"";
    private static final String ET_OPERATOR =
            "TrainingJobs.definition() is it, and et-operator brings it: kubectl create -f config/deploy.yaml";
    private static final String TF_OPERATOR = "TfJobs.definition() is it, and its operator creates it when it starts";
    private static final String MX_OPERATOR = "MxJobs.definition() is it, and its operator creates it when it starts";

    private final String apiVersion;
    private final String kind;
    private final Profile profile;
    private final OperatorPods pods;
    private final ResizeStrategy resize;
    private final boolean suspends;
    private final String install;
    private final BiFunction<Job, PodOptions, ResourceWriteResult> writer;
    private final Function<CustomObject, JobReadResult> reader;
    private final Function<CustomObject, ResourceStatus> status;

    private JobResource(
            String apiVersion,
            String kind,
            Profile profile,
            OperatorPods pods,
            ResizeStrategy resize,
            String install,
            BiFunction<Job, PodOptions, ResourceWriteResult> writer,
            Function<CustomObject, JobReadResult> reader,
            Function<CustomObject, ResourceStatus> status) {
        this.apiVersion = apiVersion;
        this.kind = kind;
        this.profile = profile;
        this.pods = pods;
        this.resize = resize;
        this.suspends = profile == Profile.KUBEFLOW_V1;
        this.install = install;
        this.writer = writer;
        this.reader = reader;
        this.status = status;
    }

    /** TfJob {@code tensorflow.org/v1alpha1}, of the first TfJob operator. */
    public static JobResource tfJob() {
        return tfJob(TfJobGeneration.TENSORFLOW);
    }

    /**
     * TfJob of one generation of its operator. {@code MLKUBE} and {@code SHORT_NAMES} name replicas without the job, so that the
     * addresses of the plan are not those of their pods.
     */
    public static JobResource tfJob(TfJobGeneration generation) {
        return new JobResource(
                generation.apiVersion(),
                generation.kind(),
                Profile.TFJOB_V1ALPHA1,
                OperatorPods.tfJob(generation),
                new NoResize("its operator reads a TfJob once and makes the replicas that it says"),
                TF_OPERATOR,
                (job, options) -> TfJobs.write(job, options, generation),
                TfJobs::read,
                TfJobStatus::read);
    }

    /** MxJob {@code mxnet.mlkube.io/v1beta1}, of the first MXNet operator. */
    public static JobResource mxJob() {
        return mxJob(MxJobGroup.MXNET_MLKUBE);
    }

    /** MxJob of one group of its operator. */
    public static JobResource mxJob(MxJobGroup group) {
        return new JobResource(
                group.apiVersion(),
                "MxJob",
                Profile.MXJOB_V1BETA1,
                OperatorPods.MXJOB,
                new NoResize("its operator reads an MxJob once and makes the replicas that it says"),
                MX_OPERATOR,
                (job, options) -> MxJobs.write(job, options, group),
                MxJobs::read,
                MxJobStatus::read);
    }

    /** TrainingJob {@code kai.alibabacloud.com/v1alpha1}, of et-operator. */
    public static JobResource trainingJob() {
        return new JobResource(
                "kai.alibabacloud.com/v1alpha1",
                "TrainingJob",
                Profile.ET_V1ALPHA1,
                OperatorPods.ET,
                new ScaleObjectResize(),
                ET_OPERATOR,
                TrainingJobs::write,
                TrainingJobs::read,
                TrainingJobStatus::read);
    }

    /** TFJob {@code kubeflow.org/v1}, of Kubeflow's training operator. */
    public static JobResource kubeflowTfJob() {
        return kubeflow(
                "TFJob", new ReplicasFieldResize("tfReplicaSpecs"), KubeflowTfJobs::write, KubeflowTfJobs::read);
    }

    /** PyTorchJob {@code kubeflow.org/v1}, of Kubeflow's training operator. */
    public static JobResource kubeflowPyTorchJob() {
        return kubeflow(
                "PyTorchJob", new ReplicasFieldResize("pytorchReplicaSpecs"), PyTorchJobs::write, PyTorchJobs::read);
    }

    /** MXJob {@code kubeflow.org/v1}, of Kubeflow's training operator up to 1.8. */
    public static JobResource kubeflowMxJob() {
        return kubeflow(
                "MXJob",
                new NoResize("an MXJob has one number of replicas, which its environment tells them"),
                KubeflowMxJobs::write,
                KubeflowMxJobs::read);
    }

    /** MPIJob {@code kubeflow.org/v1}, of Kubeflow's training operator. */
    public static JobResource kubeflowMpiJob() {
        return kubeflow(
                "MPIJob",
                new ReplicasFieldResize("mpiReplicaSpecs"),
                (job, options) -> MpiJobs.write(job, options, MpiJobVersion.V1),
                MpiJobs::read);
    }

    private static JobResource kubeflow(
            String kind,
            ResizeStrategy resize,
            BiFunction<Job, PodOptions, ResourceWriteResult> writer,
            Function<CustomObject, JobReadResult> reader) {
        return new JobResource(
                "kubeflow.org/v1",
                kind,
                Profile.KUBEFLOW_V1,
                OperatorPods.KUBEFLOW,
                resize,
                TRAINING_OPERATOR,
                writer,
                reader,
                KubeflowStatus::read);
    }

    /** Group and version, {@code kubeflow.org/v1}. */
    public String apiVersion() {
        return apiVersion;
    }

    /** Kind, {@code TFJob}. */
    public String kind() {
        return kind;
    }

    /** The name of its CustomResourceDefinition, {@code tfjobs.kubeflow.org}. */
    public String definition() {
        return plural() + "." + group();
    }

    /** By whose names the operator makes the job's objects: a plan of this profile is what it will make. */
    public Profile profile() {
        return profile;
    }

    String group() {
        return apiVersion.substring(0, apiVersion.indexOf('/'));
    }

    String version() {
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    String plural() {
        return kind.toLowerCase(Locale.ROOT) + "s";
    }

    /** Where it comes from, as a person reads it. */
    String install() {
        return install;
    }

    ResourceDefinitionContext context() {
        return context(apiVersion, kind, plural());
    }

    static ResourceDefinitionContext context(String apiVersion, String kind, String plural) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(apiVersion.substring(0, apiVersion.indexOf('/')))
                .withVersion(apiVersion.substring(apiVersion.indexOf('/') + 1))
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(true)
                .build();
    }

    OperatorPods pods() {
        return pods;
    }

    ResizeStrategy resize() {
        return resize;
    }

    /** Whether {@code spec.runPolicy.suspend} is there. */
    boolean suspends() {
        return suspends;
    }

    /** Whether it says a run id, which then is a part of names and labels. */
    boolean saysRunId() {
        return profile == Profile.TFJOB_V1ALPHA1 || profile == Profile.MXJOB_V1BETA1;
    }

    /** The resource of a job, so that its operator makes what the plan of the job says. */
    ResourceWriteResult write(Job job, JobPlan plan, PodOptions options) {
        // The run id of the plan is a part of names and labels, and another one would be drawn.
        ResourceWriteResult result =
                writer.apply(saysRunId() ? job.toBuilder().runId(plan.runId()).build() : job, options);
        return plan.framework() == Framework.PYTORCH ? PyTorchSettings.complete(result, plan) : result;
    }

    JobReadResult read(CustomObject object) {
        return reader.apply(object);
    }

    ResourceStatus status(CustomObject object) {
        return status.apply(object);
    }

    /** What an object of it is called in messages: {@code TFJob default/mnist}. */
    String named(String namespace, String name) {
        return kind + " " + namespace + "/" + name;
    }

    /** For example {@code TFJob kubeflow.org/v1}. */
    @Override
    public String toString() {
        return kind + " " + apiVersion;
    }
}
