package dev.edl.operators.crd.kubeflow;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.CustomObjectFieldReader;
import dev.edl.operators.crd.internal.JobConversionLosses;
import dev.edl.operators.crd.internal.OrderedMaps;
import dev.edl.spec.ElasticBounds;
import dev.edl.spec.RoleType;
import dev.edl.spec.SuccessPolicy;
import io.fabric8.kubernetes.api.model.autoscaling.v2.MetricSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Conversion of PyTorch jobs to and from Kubeflow's PyTorchJob v1. The bounds of elastic workers become the
 * {@code elasticPolicy} of the PyTorchJob, with the rendezvous {@code c10d}.
 *
 * <p>The bounds of an {@code elasticPolicy} are numbers of nodes: the operator passes its numbers to torchrun
 * unchanged, and a Master is a node. So a job with a master and 1 to 8 workers becomes an {@code elasticPolicy} of 2 to
 * 9 nodes.
 *
 * <pre>{@code
 * ResourceWriteResult written = PyTorchJobs.write(job);
 * JobReadResult read = PyTorchJobs.read(written.toYaml());
 * }</pre>
 *
 * <p>Pure functions; thread-safe.
 */
public final class PyTorchJobs {
    private static final String MASTER = "with a Master, its end is the job's";
    private static final String ANY_WORKER = "without a Master, an elastic job has succeeded with any of its workers";
    private static final String ALL = "without a Master, the job has succeeded with all its workers";
    private static final String PROCESSES =
            "a job has no setting for the processes of a replica; a plan does, by" + " PyTorchEnv.processes";
    private static final String RESTARTS =
            "a job has no limit of process restarts; a plan does, by" + " PyTorchEnv.maxRestarts";
    private static final List<String> ELASTIC = List.of(
            "minReplicas",
            "maxReplicas",
            "rdzvBackend",
            "rdzvPort",
            "rdzvHost",
            "rdzvId",
            "rdzvConf",
            "standalone",
            "nProcPerNode",
            "maxRestarts",
            "metrics");

    private PyTorchJobs() {}

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
        return new KindWriter(KubeflowKinds.PYTORCH, job, options).write((spec, report) -> own(job, spec, report));
    }

    private static void own(Job job, Map<String, Object> spec, ConversionReport report) {
        Optional<ElasticBounds> elastic = job.role(RoleType.WORKER).flatMap(worker -> worker.elastic());
        elastic.ifPresent(bounds -> {
            int masters = job.role(RoleType.MASTER).isPresent() ? 1 : 0;
            Map<String, Object> policy =
                    OrderedMaps.of("minReplicas", bounds.min() + masters, "maxReplicas", bounds.max() + masters);
            policy.put("rdzvBackend", "c10d");
            spec.put("elasticPolicy", policy);
        });
        boolean led = job.role(RoleType.MASTER).isPresent();
        SuccessPolicy said =
                job.spec().policy().success().orElse(led ? SuccessPolicy.LEADER : SuccessPolicy.ALL_WORKERS);
        if (led && said == SuccessPolicy.ALL_WORKERS) {
            report.loss("success", JobConversionLosses.word(said), MASTER);
        } else if (!led && elastic.isPresent()) {
            report.loss("success", JobConversionLosses.word(said), ANY_WORKER);
        } else if (!led && said == SuccessPolicy.LEADER) {
            report.loss("success", JobConversionLosses.word(said), ALL);
        }
    }

    /**
     * Reads a job from YAML or JSON.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException with every mistake: the text is not a PyTorchJob v1, has
     *     an unknown key or role, or cannot be a job
     */
    public static JobReadResult read(String yaml) {
        return read(CustomObject.fromYaml(yaml));
    }

    /** Reads a job; see {@link #read(String)}. */
    public static JobReadResult read(CustomObject resource) {
        return new KindReader(KubeflowKinds.PYTORCH, resource)
                .read(List.of("elasticPolicy", "nprocPerNode"), PyTorchJobs::own);
    }

    private static void own(CustomObjectFieldReader spec, KindReader job) {
        spec.loseUnless("nprocPerNode", "auto", PROCESSES);
        spec.fields("elasticPolicy", ELASTIC).ifPresent(policy -> elastic(policy, job));
    }

    private static void elastic(CustomObjectFieldReader policy, KindReader job) {
        if (!job.has(RoleType.WORKER)) {
            if (job.isEmpty(RoleType.WORKER)) {
                policy.report().mistake(policy.path() + " needs workers, and the role Worker has 0 replicas");
            } else if (!job.names(RoleType.WORKER)) {
                policy.report().mistake(policy.path() + " needs the role Worker, which is missing");
            }
            return;
        }
        int[] bounds = {0, 0};
        policy.whole("minReplicas", min -> bounds[0] = min);
        policy.whole("maxReplicas", max -> bounds[1] = max);
        int min = bounds[0] != 0 ? bounds[0] : bounds[1] != 0 ? bounds[1] : job.replicas(RoleType.WORKER);
        int max = bounds[1] != 0 ? bounds[1] : min;
        try {
            job.elastic(workers(policy, new ElasticBounds(min, max), job));
        } catch (IllegalArgumentException e) {
            policy.report().mistake(policy.path() + ": " + e.getMessage());
        }
        if (!job.has(RoleType.MASTER)) {
            policy.report().loss(policy.path(), min + ".." + max, ANY_WORKER + ", a job of EDL with all");
        }
        policy.loseUnless("rdzvBackend", "c10d", "a job meets by c10d");
        policy.loseUnless("standalone", false, "a job's replicas meet");
        policy.loseWhole(PROCESSES, "nProcPerNode");
        policy.loseWhole(RESTARTS, "maxRestarts");
        policy.checkWhole("rdzvPort");
        policy.items("metrics").forEach(metric -> metric.model(MetricSpec.class));
        policy.loseAllBut(
                List.of("minReplicas", "maxReplicas", "rdzvBackend", "standalone", "nProcPerNode", "maxRestarts"),
                "a job has bounds and no other elastic settings");
    }

    /**
     * Returns the bounds of the workers, computed from the bounds of the nodes. A Master, if any, is one of the nodes.
     */
    private static ElasticBounds workers(CustomObjectFieldReader policy, ElasticBounds nodes, KindReader job) {
        if (!job.has(RoleType.MASTER)) {
            return nodes;
        }
        int replicas = job.replicas(RoleType.WORKER);
        ElasticBounds workers = new ElasticBounds(Math.max(1, nodes.min() - 1), Math.max(replicas, nodes.max() - 1));
        if (workers.min() + 1 != nodes.min() || workers.max() + 1 != nodes.max()) {
            policy.report()
                    .loss(
                            policy.path(),
                            nodes.min() + ".." + nodes.max(),
                            "the operator takes them as nodes, of which the Master is one; with its Master and "
                                    + replicas + " workers a job has " + (workers.min() + 1) + ".."
                                    + (workers.max() + 1));
        }
        return workers;
    }
}
