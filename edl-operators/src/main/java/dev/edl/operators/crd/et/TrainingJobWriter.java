package dev.edl.operators.crd.et;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.JobConversionLosses;
import dev.edl.operators.crd.internal.OperatorEnv;
import dev.edl.operators.crd.internal.OrderedMaps;
import dev.edl.operators.crd.internal.PodTemplateConventions;
import dev.edl.operators.crd.internal.PodWriter;
import dev.edl.operators.crd.internal.ResourceMetadata;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.Framework;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleType;
import dev.edl.spec.SuccessPolicy;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes a TrainingJob. */
final class TrainingJobWriter {
    static final String GONE = "the operator recreates a launcher whose pod is gone; a failed one ends the job";

    private final Job job;
    private final PodOptions options;
    private final ConversionReport report;
    private final JobConversionLosses losses;

    TrainingJobWriter(Job job, PodOptions options) {
        this.job = job;
        this.options = options;
        this.report = new ConversionReport(TrainingJobs.KIND, job.name());
        this.losses = new JobConversionLosses(job, report);
    }

    ResourceWriteResult write() {
        losses.framework(Framework.HOROVOD);
        report.refuseMistakes();
        losses.runId("the operator has no run ids");
        Map<String, Object> spec =
                OrderedMaps.of("cleanPodPolicy", clean(job.spec().policy().cleanup()), "etReplicaSpecs", Map.of());
        if (options.nonPodOptions().containsKey("kubexec")) {
            spec.put("launcherAttachMode", "kubexec");
        }
        Map<String, Object> roles = new LinkedHashMap<>();
        job.roles().forEach(role -> roles.put(role.type().id(), replica(role, spec)));
        spec.put("etReplicaSpecs", roles);
        slots(roles, spec);
        for (RoleType type : TrainingJobReader.TYPES) {
            if (job.role(type).isEmpty()) {
                report.mistake(type + " is missing, which a TrainingJob must have");
            }
        }
        job.spec()
                .policy()
                .success()
                .filter(SuccessPolicy.ALL_WORKERS::equals)
                .ifPresent(success ->
                        report.loss("success", JobConversionLosses.word(success), "the launcher's end is the job's"));
        losses.times("a TrainingJob has no time limits");
        losses.backoff("the operator relaunches at once");
        losses.options(options, "kubexec");
        report.refuseMistakes();
        Map<String, Object> object = ResourceMetadata.write(job, TrainingJobs.API_VERSION, TrainingJobs.KIND);
        object.put("spec", spec);
        return new ResourceWriteResult(CustomObject.of(object), report.losses());
    }

    private Map<String, Object> replica(RoleSpec role, Map<String, Object> spec) {
        Map<String, Object> replica = OrderedMaps.of("replicas", role.replicas());
        role.elastic().ifPresent(bounds -> {
            replica.put("minReplicas", bounds.min());
            replica.put("maxReplicas", bounds.max());
        });
        replica.put("restartPolicy", restart(role));
        PodTemplateConventions conventions =
                PodTemplateConventions.first(role.type().id()).setting(OperatorEnv.ET_V1ALPHA1.sets(spec, role.type()));
        replica.put("template", new PodWriter(job, options, conventions, report).template(role));
        losses.exitCodes(role, "the one rule for exit codes is that 129 to 254 restart a worker");
        losses.relaunchLimit(role, "workers are relaunched without a limit");
        losses.port(role, "the roles of a TrainingJob have no port");
        return replica;
    }

    /**
     * Writes the number of processes on a worker, if et-operator would otherwise count another number than the plan, or
     * none.
     */
    private void slots(Map<String, Object> roles, Map<String, Object> spec) {
        long slots = WorkerSlots.ofDevices(roles.get(RoleType.WORKER.id()));
        if (slots != WorkerSlots.byOperator(roles.get(RoleType.WORKER.id()))) {
            spec.put("slotsPerWorker", slots);
        }
        job.role(RoleType.WORKER)
                .map(worker -> Math.max(
                        1, job.spec().effective(worker).effectiveLimits().devices()))
                .filter(planned -> planned != slots)
                .ifPresent(planned -> report.loss(
                        "options.worker.accelerator",
                        slots,
                        "a plan cannot see it, and has " + planned + " of the " + slots + " processes of a worker"));
    }

    private String restart(RoleSpec role) {
        RestartPolicy restart = job.spec().effective(role).restart().orElse(RestartPolicy.ON_FAILURE);
        if (role.type() == RoleType.LAUNCHER && restart != RestartPolicy.NEVER) {
            report.loss("launcher.restart", JobConversionLosses.word(restart), GONE);
            return "Always";
        }
        return PodWriter.word(restart);
    }

    private static String clean(CleanupPolicy cleanup) {
        return switch (cleanup) {
            case NONE -> "None";
            case RUNNING -> "Running";
            case ALL -> "All";
        };
    }
}
