package dev.edl.operators.crd.tfjob;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.TensorBoard;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.JobConversionLosses;
import dev.edl.operators.crd.internal.OperatorEnv;
import dev.edl.operators.crd.internal.OrderedMaps;
import dev.edl.operators.crd.internal.PodTemplateConventions;
import dev.edl.operators.crd.internal.PodWriter;
import dev.edl.operators.crd.internal.ResourceMetadata;
import dev.edl.spec.Framework;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import dev.edl.spec.SuccessPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Writes a TfJob. */
final class TfJobWriter {
    static final PodTemplateConventions POD =
            new PodTemplateConventions("tensorflow", false, Optional.empty(), true, OperatorEnv.TFJOB_V1ALPHA1.all());

    private final Job job;
    private final PodOptions options;
    private final TfJobRelease release;
    private final ConversionReport report;
    private final JobConversionLosses losses;
    private final PodWriter pods;

    TfJobWriter(Job job, PodOptions options, TfJobRelease release) {
        this.job = job;
        this.options = options;
        this.release = release;
        this.report = new ConversionReport(release.kind(), job.name());
        this.losses = new JobConversionLosses(job, report);
        this.pods = new PodWriter(job, options, POD, report);
    }

    ResourceWriteResult write() {
        losses.framework(Framework.TENSORFLOW);
        report.refuseMistakes();
        Map<String, Object> spec = new LinkedHashMap<>();
        job.spec().runId().ifPresent(id -> spec.put("RuntimeId", id));
        List<Object> replicas = new ArrayList<>();
        job.roles().forEach(role -> replicas.add(replica(role)));
        spec.put("replicaSpecs", replicas);
        options.tensorBoard().ifPresent(board -> tensorBoard(board, spec));
        options.tfImage().ifPresent(image -> spec.put("tfImage", image));
        if (release == TfJobRelease.KUBEFLOW) {
            scheduler(replicas, spec);
        }
        end(spec);
        losses.options(options, "tfImage", "tensorBoard");
        report.refuseMistakes();
        Map<String, Object> object = ResourceMetadata.write(job, release.apiVersion(), release.kind());
        object.put("spec", spec);
        return new ResourceWriteResult(CustomObject.of(object), report.losses());
    }

    private void tensorBoard(TensorBoard board, Map<String, Object> spec) {
        spec.put("tensorboard", TensorBoardSpec.write(board));
        board.image()
                .filter(image -> !options.tfImage().equals(Optional.of(image)))
                .ifPresent(
                        image -> report.loss("options.tensorBoard.image", image, "it is tfImage, for the whole job"));
    }

    /**
     * Moves the scheduler's name from the pod templates into the spec, because the KUBEFLOW operator gives every pod
     * the scheduler of the spec. Reports a loss if the templates differ in it.
     */
    private void scheduler(List<Object> replicas, Map<String, Object> spec) {
        Set<Object> schedulers = new LinkedHashSet<>();
        for (Object replica : replicas) {
            Object found = "";
            if (replica instanceof Map<?, ?> map
                    && map.get("template") instanceof Map<?, ?> template
                    && template.get("spec") instanceof Map<?, ?> pod) {
                Object removed = pod.remove("schedulerName");
                found = removed == null ? "" : removed;
            }
            schedulers.add(found);
        }
        if (schedulers.size() > 1) {
            report.loss("options.scheduler", schedulers.toString(), "all pods have one scheduler");
        } else if (!schedulers.contains("")) {
            schedulers.forEach(name -> spec.put("schedulerName", name));
        }
    }

    private Map<String, Object> replica(RoleSpec role) {
        if (!TfJobReader.TYPES.contains(role.type())) {
            report.mistake(role.type() + " cannot be written; the roles of a TfJob are master, ps and worker");
        }
        RoleTemplate template = job.spec().effective(role);
        Map<String, Object> replica = OrderedMaps.of(
                "replicas", role.replicas(), "tfReplicaType", role.type().name());
        template.port().ifPresent(port -> replica.put("tfPort", port));
        if (!isOwnServer(role, template)) {
            replica.put("template", pods.template(role));
        } else {
            pods.loseOptions(
                    role.type(), "the operator's own servers have no template; give them an image and command");
        }
        losses.elastic(role, "a TfJob has a fixed number of replicas");
        losses.exitCodes(role, "the operator has its own rule: 1 to 127 and OOMKilled are final, 128 to 255 are not");
        losses.relaunchLimit(role, "the node restarts a container without a limit");
        return replica;
    }

    /**
     * Returns whether the role is parameter servers without an image or any other setting that needs a template, so
     * that they run the operator's own program.
     */
    private boolean isOwnServer(RoleSpec role, RoleTemplate template) {
        if (role.type() != RoleType.PS || template.image().isPresent() || !release.hasOwnServers()) {
            return false;
        }
        RoleTemplate rest = RoleTemplate.builder()
                .port(template.port())
                .exitCodes(template.exitCodes())
                .relaunchLimit(template.relaunchLimit())
                .build();
        return template.equals(rest);
    }

    /**
     * Writes the replica whose end ends the job. Reports settings about the job's end that a TfJob cannot express as
     * losses, and a missing master that the operator needs as a mistake.
     */
    private void end(Map<String, Object> spec) {
        boolean led = job.role(RoleType.MASTER).isPresent();
        Optional<SuccessPolicy> success = job.spec().policy().success();
        if (led) {
            success.filter(SuccessPolicy.ALL_WORKERS::equals)
                    .ifPresent(policy ->
                            report.loss("success", JobConversionLosses.word(policy), "the MASTER's end is the job's"));
        } else if (!release.hasTerminationPolicy()) {
            report.mistake("master is missing, without which this operator sees no job end; add .master()");
        } else {
            spec.put("terminationPolicy", Map.of("chief", OrderedMaps.of("replicaName", "WORKER", "replicaIndex", 0)));
            if (success.filter(SuccessPolicy.LEADER::equals).isEmpty()) {
                report.loss(
                        "success",
                        JobConversionLosses.word(SuccessPolicy.ALL_WORKERS),
                        "one replica's end is the job's: WORKER 0's");
            }
        }
        if (job.spec().policy().cleanup() != release.cleanup()) {
            report.loss(
                    "cleanup",
                    JobConversionLosses.word(job.spec().policy().cleanup()),
                    release == TfJobRelease.KUBEFLOW
                            ? "this operator removes all replicas at the end"
                            : "this operator removes nothing at the end");
        }
        losses.times("a TfJob has no time limits");
        losses.backoff("the node waits before it restarts a container, from 10 s, doubling, up to 5 min");
    }
}
