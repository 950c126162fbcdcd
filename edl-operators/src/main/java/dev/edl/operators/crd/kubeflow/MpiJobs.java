package dev.edl.operators.crd.kubeflow;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.CustomObjectFieldReader;
import dev.edl.operators.crd.internal.JobConversionLosses;
import dev.edl.operators.crd.internal.PodTemplateConventions;
import dev.edl.spec.RoleType;
import dev.edl.spec.SuccessPolicy;
import java.util.List;
import java.util.Map;

/**
 * Conversion of Horovod jobs to and from MPIJob {@code kubeflow.org/v1} or {@code kubeflow.org/v2beta1}.
 *
 * <pre>{@code
 * ResourceWriteResult written = MpiJobs.write(job, MpiJobVersion.V2BETA1);
 * JobReadResult read = MpiJobs.read(written.toYaml());
 * }</pre>
 *
 * <p>Pure functions; thread-safe.
 */
public final class MpiJobs {
    private static final List<String> V1 = List.of("slotsPerWorker", "cleanPodPolicy", "mainContainer");
    private static final List<String> V2BETA1 = List.of(
            "slotsPerWorker", "runLauncherAsWorker", "sshAuthMountPath", "launcherCreationPolicy", "mpiImplementation");

    private MpiJobs() {}

    /**
     * Writes a job.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException with every mistake: the job has another framework, has
     *     no launcher or workers, or has a role without an image
     */
    public static ResourceWriteResult write(Job job, MpiJobVersion version) {
        return write(job, PodOptions.none(), version);
    }

    /** Writes a job with pod options; see {@link #write(Job, MpiJobVersion)}. */
    public static ResourceWriteResult write(Job job, PodOptions options, MpiJobVersion version) {
        return new KindWriter(KubeflowKinds.mpi(version), job, options).write((spec, report) -> own(job, report));
    }

    private static void own(Job job, ConversionReport report) {
        if (job.role(RoleType.LAUNCHER).isEmpty()) {
            report.mistake("launcher is missing, which starts the processes of an MPIJob; add .launcher()");
        }
        job.spec()
                .policy()
                .success()
                .filter(SuccessPolicy.ALL_WORKERS::equals)
                .ifPresent(policy ->
                        report.loss("success", JobConversionLosses.word(policy), "the Launcher's end is the job's"));
        job.role(RoleType.WORKER)
                .ifPresent(worker -> new JobConversionLosses(job, report)
                        .elastic(worker, "the workers can be scaled by a change of the resource, without bounds"));
    }

    /**
     * Reads a job from YAML or JSON; its version determines the operator.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException with every mistake: the text is not an MPIJob, has an
     *     unknown key or role, or cannot be a job
     */
    public static JobReadResult read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads a job; see {@link #read(String)}. */
    public static JobReadResult read(CustomObject resource) {
        if (resource.apiVersion().equals(MpiJobVersion.V2BETA1.apiVersion())) {
            return new KindReader(KubeflowKinds.mpi(MpiJobVersion.V2BETA1), resource).read(V2BETA1, MpiJobs::beta);
        }
        KubeflowKind kind = KubeflowKinds.mpi(MpiJobVersion.V1);
        if (resource.fields().get("spec") instanceof Map<?, ?> spec
                && spec.get("mainContainer") instanceof String main
                && !main.isEmpty()) {
            kind = kind.with(PodTemplateConventions.first(main));
        }
        return new KindReader(kind, resource).read(V1, MpiJobs::first);
    }

    private static void first(CustomObjectFieldReader spec, KindReader job) {
        common(spec, job);
        spec.lose("the container that trains is named mpi", "mainContainer");
        RunPolicyConversion.readInline(spec, job.policy());
    }

    private static void beta(CustomObjectFieldReader spec, KindReader job) {
        common(spec, job);
        spec.loseUnless("runLauncherAsWorker", false, "a job's launcher does not train");
        spec.loseUnless("sshAuthMountPath", "/root/.ssh", "a job has no setting for the path of keys");
        spec.loseUnless("launcherCreationPolicy", "AtStartup", "a job has no setting for the order of starts");
        spec.loseUnless("mpiImplementation", "OpenMPI", "a job has no setting for the MPI implementation");
    }

    private static void common(CustomObjectFieldReader spec, KindReader job) {
        if (!job.has(RoleType.LAUNCHER)) {
            spec.wrong("mpiReplicaSpecs", "must have the role Launcher, which is missing");
        }
        spec.checkWhole("slotsPerWorker");
        spec.loseUnless("slotsPerWorker", 1L, "a job has no setting for the processes of a replica");
    }
}
