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
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Conversion of TensorFlow jobs to and from Kubeflow's TFJob v1.
 *
 * <pre>{@code
 * ResourceWriteResult written = KubeflowTfJobs.write(job);
 * JobReadResult read = KubeflowTfJobs.read(written.toYaml());
 * }</pre>
 *
 * <p>Elastic workers become a TFJob with {@code enableDynamicWorker}, which has no bounds. The restart policy
 * {@code ExitCode} becomes an exit code policy of the job: codes 128 to 255 are free, and codes 1 to 127 are fatal.
 *
 * <p>Pure functions; thread-safe.
 */
public final class KubeflowTfJobs {
    private static final String LED = "with a Chief or Master, its end is the job's";

    private KubeflowTfJobs() {}

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
        return new KindWriter(KubeflowKinds.TENSORFLOW, job, options).write((spec, report) -> own(job, spec, report));
    }

    private static void own(Job job, Map<String, Object> spec, ConversionReport report) {
        Optional<SuccessPolicy> success = job.spec().policy().success();
        boolean led = job.role(RoleType.CHIEF).isPresent()
                || job.role(RoleType.MASTER).isPresent();
        if (led) {
            success.filter(SuccessPolicy.ALL_WORKERS::equals)
                    .ifPresent(policy -> report.loss("success", JobConversionLosses.word(policy), LED));
        } else if (success.filter(SuccessPolicy.LEADER::equals).isEmpty()) {
            spec.put("successPolicy", "AllWorkers");
        }
        job.role(RoleType.WORKER).filter(worker -> worker.elastic().isPresent()).ifPresent(worker -> {
            spec.put("enableDynamicWorker", true);
            new JobConversionLosses(job, report)
                    .elastic(worker, "workers may come and go (enableDynamicWorker), without bounds");
        });
    }

    /**
     * Reads a job from YAML or JSON.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException with every mistake: the text is not a TFJob v1, has an
     *     unknown key or role, or cannot be a job
     */
    public static JobReadResult read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads a job; see {@link #read(String)}. */
    public static JobReadResult read(CustomObject resource) {
        return new KindReader(KubeflowKinds.TENSORFLOW, resource)
                .read(List.of("successPolicy", "enableDynamicWorker"), KubeflowTfJobs::own);
    }

    private static void own(CustomObjectFieldReader spec, KindReader job) {
        boolean led = job.has(RoleType.CHIEF) || job.has(RoleType.MASTER);
        String success = spec.text("successPolicy").orElse("");
        if (!success.isEmpty() && !success.equals("AllWorkers")) {
            spec.unknownWord("successPolicy", success, List.of("AllWorkers"));
        } else if (led) {
            spec.lose(LED, "successPolicy");
        } else if (success.isEmpty()) {
            job.policy().success(SuccessPolicy.LEADER);
        }
        if (spec.flag("enableDynamicWorker")) {
            spec.lose(
                    "a job names the bounds within which workers may come and go: elastic(min, max)",
                    "enableDynamicWorker");
        }
    }
}
