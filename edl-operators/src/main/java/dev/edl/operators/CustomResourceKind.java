package dev.edl.operators;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceStatus;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.et.TrainingJobStatuses;
import dev.edl.operators.crd.et.TrainingJobs;
import dev.edl.operators.crd.kubeflow.KubeflowMxJobs;
import dev.edl.operators.crd.kubeflow.KubeflowStatuses;
import dev.edl.operators.crd.kubeflow.KubeflowTfJobs;
import dev.edl.operators.crd.kubeflow.MpiJobVersion;
import dev.edl.operators.crd.kubeflow.MpiJobs;
import dev.edl.operators.crd.kubeflow.PyTorchJobs;
import dev.edl.operators.crd.mxjob.MxJobGroup;
import dev.edl.operators.crd.mxjob.MxJobStatuses;
import dev.edl.operators.crd.mxjob.MxJobs;
import dev.edl.operators.crd.tfjob.TfJobRelease;
import dev.edl.operators.crd.tfjob.TfJobStatuses;
import dev.edl.operators.crd.tfjob.TfJobs;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.spec.Framework;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Kind of custom resource as which {@link CustomResourceExecutor} writes jobs. The kind determines the operator that
 * runs them.
 *
 * <table><caption>Operations on a running job</caption>
 * <tr><th>resource</th><th>{@code scale}</th><th>{@code suspend}, {@code resume}</th></tr>
 * <tr><td>{@link #kubeflowTfJob}, {@link #kubeflowPyTorchJob}, {@link #kubeflowMpiJob}</td>
 * <td>elastic workers, by {@code replicas} in the resource</td><td>{@code runPolicy.suspend}</td></tr>
 * <tr><td>{@link #kubeflowMxJob}</td><td>no</td><td>{@code runPolicy.suspend}</td></tr>
 * <tr><td>{@link #trainingJob}</td><td>elastic workers, by a ScaleIn or ScaleOut</td><td>no</td></tr>
 * <tr><td>{@link #tfJob}, {@link #mxJob}</td><td>no</td><td>no</td></tr>
 * </table>
 *
 * <p>Immutable and thread-safe.
 */
public final class CustomResourceKind {
    private static final String TRAINING_OPERATOR =
            "install it with Kubeflow's training operator: kubectl apply --server-side -k"
                    + " \"github.com/kubeflow/training-operator.git/manifests/overlays/standalone?ref=v1.8.1\"";
    private static final String ET_OPERATOR =
            "TrainingJobs.definition() returns it, and et-operator installs it: kubectl create -f config/deploy.yaml";
    private static final String TF_OPERATOR = "TfJobs.definition() returns it, and its operator creates it at start";
    private static final String MX_OPERATOR = "MxJobs.definition() returns it, and its operator creates it at start";

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

    private CustomResourceKind(
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

    /** Returns TfJob {@code tensorflow.org/v1alpha1}, of the first TfJob operator. */
    public static CustomResourceKind tfJob() {
        return tfJob(TfJobRelease.TENSORFLOW);
    }

    /**
     * Returns TfJob for one release of its operator. {@code MLKUBE} and {@code SHORT_NAMES} leave the job's name out of
     * replica names, so the addresses in the plan differ from those of the pods.
     */
    public static CustomResourceKind tfJob(TfJobRelease release) {
        return new CustomResourceKind(
                release.apiVersion(),
                release.kind(),
                Profile.TFJOB_V1ALPHA1,
                OperatorPods.tfJob(release),
                new NoResize("its operator reads a TfJob once and ignores later changes"),
                TF_OPERATOR,
                (job, options) -> TfJobs.write(job, options, release),
                TfJobs::read,
                TfJobStatuses::read);
    }

    /** Returns MxJob {@code mxnet.mlkube.io/v1beta1}, of the first MXNet operator. */
    public static CustomResourceKind mxJob() {
        return mxJob(MxJobGroup.MXNET_MLKUBE);
    }

    /** Returns MxJob in one of the two API groups of its operator. */
    public static CustomResourceKind mxJob(MxJobGroup group) {
        return new CustomResourceKind(
                group.apiVersion(),
                "MxJob",
                Profile.MXJOB_V1BETA1,
                OperatorPods.MXJOB,
                new NoResize("its operator reads an MxJob once and ignores later changes"),
                MX_OPERATOR,
                (job, options) -> MxJobs.write(job, options, group),
                MxJobs::read,
                MxJobStatuses::read);
    }

    /** Returns TrainingJob {@code kai.alibabacloud.com/v1alpha1}, of et-operator. */
    public static CustomResourceKind trainingJob() {
        return new CustomResourceKind(
                "kai.alibabacloud.com/v1alpha1",
                "TrainingJob",
                Profile.ET_V1ALPHA1,
                OperatorPods.ET,
                new ScaleObjectResize(),
                ET_OPERATOR,
                TrainingJobs::write,
                TrainingJobs::read,
                TrainingJobStatuses::read);
    }

    /** Returns TFJob {@code kubeflow.org/v1}, of Kubeflow's training operator. */
    public static CustomResourceKind kubeflowTfJob() {
        return kubeflow(
                "TFJob", new ReplicasFieldResize("tfReplicaSpecs"), KubeflowTfJobs::write, KubeflowTfJobs::read);
    }

    /** Returns PyTorchJob {@code kubeflow.org/v1}, of Kubeflow's training operator. */
    public static CustomResourceKind kubeflowPyTorchJob() {
        return kubeflow(
                "PyTorchJob", new ReplicasFieldResize("pytorchReplicaSpecs"), PyTorchJobs::write, PyTorchJobs::read);
    }

    /** Returns MXJob {@code kubeflow.org/v1}, of Kubeflow's training operator up to 1.8. */
    public static CustomResourceKind kubeflowMxJob() {
        return kubeflow(
                "MXJob",
                new NoResize("an MXJob has a fixed number of replicas, set in their environment"),
                KubeflowMxJobs::write,
                KubeflowMxJobs::read);
    }

    /** Returns MPIJob {@code kubeflow.org/v1}, of Kubeflow's training operator. */
    public static CustomResourceKind kubeflowMpiJob() {
        return kubeflow(
                "MPIJob",
                new ReplicasFieldResize("mpiReplicaSpecs"),
                (job, options) -> MpiJobs.write(job, options, MpiJobVersion.V1),
                MpiJobs::read);
    }

    private static CustomResourceKind kubeflow(
            String kind,
            ResizeStrategy resize,
            BiFunction<Job, PodOptions, ResourceWriteResult> writer,
            Function<CustomObject, JobReadResult> reader) {
        return new CustomResourceKind(
                "kubeflow.org/v1",
                kind,
                Profile.KUBEFLOW_V1,
                OperatorPods.KUBEFLOW,
                resize,
                TRAINING_OPERATOR,
                writer,
                reader,
                KubeflowStatuses::read);
    }

    /** Returns the API group and version, such as {@code kubeflow.org/v1}. */
    public String apiVersion() {
        return apiVersion;
    }

    /** Returns the kind, such as {@code TFJob}. */
    public String kind() {
        return kind;
    }

    /** Returns the name of the resource's CustomResourceDefinition, such as {@code tfjobs.kubeflow.org}. */
    public String definition() {
        return plural() + "." + group();
    }

    /** Returns the operator's profile. A plan with this profile names pods and services as the operator does. */
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

    /** Returns how to install the resource, as text for people. */
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

    /** Returns whether the resource has the field {@code spec.runPolicy.suspend}. */
    boolean suspends() {
        return suspends;
    }

    /** Returns whether the resource has a run id, which the operator puts into names and labels of pods. */
    boolean saysRunId() {
        return profile == Profile.TFJOB_V1ALPHA1 || profile == Profile.MXJOB_V1BETA1;
    }

    /** Returns a job written as the resource, and the settings that the resource cannot express. */
    public ResourceWriteResult write(Job job, PodOptions options) {
        return writer.apply(job, options);
    }

    /** Writes a job as the resource, so that its operator creates the objects of the plan. */
    ResourceWriteResult write(Job job, JobPlan plan, PodOptions options) {
        // Names and labels contain the plan's run id; a new conversion would draw another one.
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

    /** Returns the kind, namespace and name of an object for messages, such as {@code TFJob default/mnist}. */
    String named(String namespace, String name) {
        return kind + " " + namespace + "/" + name;
    }

    /** Returns kind and version, for example {@code TFJob kubeflow.org/v1}. */
    @Override
    public String toString() {
        return kind + " " + apiVersion;
    }
}
