package dev.edl.operators.crd.kubeflow;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.CustomObjectFieldReader;
import dev.edl.operators.crd.internal.JobConversionLosses;
import dev.edl.spec.RoleType;
import dev.edl.spec.SuccessPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Conversion of MXNet jobs to and from Kubeflow's MXJob v1. Writes the form of the training operator up to 1.8. Also
 * reads the form of the earlier MXNet operator, with {@code cleanPodPolicy} and similar keys in the spec itself.
 *
 * <pre>{@code
 * ResourceWriteResult written = KubeflowMxJobs.write(job);
 * JobReadResult read = KubeflowMxJobs.read(written.toYaml());
 * }</pre>
 *
 * <p>{@link #read} rejects a tuning job ({@code MXTune}). Pure functions; thread-safe.
 */
public final class KubeflowMxJobs {
    private KubeflowMxJobs() {}

    /**
     * Writes a job.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException with every mistake: the job has another framework, or
     *     has a role without an image
     */
    public static ResourceWriteResult write(Job job) {
        return write(job, PodOptions.none());
    }

    /** Writes a job with pod options; see {@link #write(Job)}. */
    public static ResourceWriteResult write(Job job, PodOptions options) {
        return new KindWriter(KubeflowKinds.MXNET, job, options).write((spec, report) -> own(job, spec, report));
    }

    private static void own(Job job, Map<String, Object> spec, ConversionReport report) {
        spec.put("jobMode", "MXTrain");
        job.spec()
                .policy()
                .success()
                .filter(SuccessPolicy.LEADER::equals)
                .ifPresent(policy ->
                        report.loss("success", JobConversionLosses.word(policy), "the Scheduler's end is the job's"));
        job.role(RoleType.WORKER)
                .ifPresent(worker -> new JobConversionLosses(job, report)
                        .elastic(worker, "an MXJob has a fixed number of replicas, set in their environment"));
    }

    /**
     * Reads a job from YAML or JSON.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException with every mistake: the text is not an MXJob v1 that
     *     trains, has an unknown key or role, or cannot be a job
     */
    public static JobReadResult read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads a job; see {@link #read(String)}. */
    public static JobReadResult read(CustomObject resource) {
        ConversionReport report = new ConversionReport(resource.kind(), resource.name());
        if (resource.kind().equals("MXJob")
                && resource.fields().get("spec") instanceof Map<?, ?> spec
                && "MXTune".equals(spec.get("jobMode"))) {
            report.mistake("spec.jobMode must be MXTrain, as a job only trains, was \"MXTune\"");
            report.refuseMistakes();
        }
        List<String> keys = new ArrayList<>(RunPolicyConversion.INLINE);
        keys.add("jobMode");
        return new KindReader(KubeflowKinds.MXNET, resource).read(keys, KubeflowMxJobs::own);
    }

    private static void own(CustomObjectFieldReader spec, KindReader job) {
        String mode = spec.filled("jobMode").orElse("");
        if (!mode.equals("MXTrain")) {
            spec.wrong("jobMode", "must be MXTrain, as a job only trains, was \"" + mode + "\"");
        }
        RunPolicyConversion.readInline(spec, job.policy());
    }
}
