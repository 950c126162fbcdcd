package dev.edl.operators.crd.kubeflow;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.JobConversionLosses;
import dev.edl.operators.crd.internal.OrderedMaps;
import dev.edl.operators.crd.internal.PodTemplateConventions;
import dev.edl.operators.crd.internal.PodWriter;
import dev.edl.operators.crd.internal.ResourceMetadata;
import dev.edl.spec.RoleSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Writes a resource of one of Kubeflow's kinds: the fields that all kinds have and, by a callback, those of the kind.
 */
final class KindWriter {
    private final KubeflowKind kind;
    private final Job job;
    private final PodOptions options;
    private final ConversionReport report;
    private final JobConversionLosses losses;

    KindWriter(KubeflowKind kind, Job job, PodOptions options) {
        this.kind = kind;
        this.job = job;
        this.options = options;
        this.report = new ConversionReport(kind.name(), job.name());
        this.losses = new JobConversionLosses(job, report);
    }

    /**
     * Writes the job as a resource of the kind.
     *
     * @param own callback that writes the kind's own fields at the start of the spec, and reports their losses
     */
    ResourceWriteResult write(BiConsumer<Map<String, Object>, ConversionReport> own) {
        losses.framework(kind.framework());
        report.refuseMistakes();
        losses.runId("the operator has no run ids");
        Map<String, Object> spec = new LinkedHashMap<>();
        own.accept(spec, report);
        spec.put("runPolicy", RunPolicyConversion.write(job, report));
        losses.backoff("the operator and the node choose the delays");
        spec.put(kind.replicaSpecs(), roles(spec));
        losses.options(options);
        report.refuseMistakes();
        Map<String, Object> object = ResourceMetadata.write(job, kind.apiVersion(), kind.name());
        object.put("spec", spec);
        return new ResourceWriteResult(CustomObject.of(object), report.losses());
    }

    /**
     * Writes the roles. Writes them twice: which variables the operator sets depends on all roles, so the first time
     * without these variables.
     */
    private Map<String, Object> roles(Map<String, Object> spec) {
        Map<String, Object> seen = new LinkedHashMap<>(spec);
        Map<String, Object> every = new LinkedHashMap<>();
        PodWriter whole = new PodWriter(job, options, kind.pod(), new ConversionReport(kind.name(), job.name()));
        job.roles()
                .forEach(role -> every.put(
                        kind.key(role.type()),
                        OrderedMaps.of("replicas", role.replicas(), "template", whole.template(role))));
        seen.put(kind.replicaSpecs(), every);
        Map<String, Object> roles = new LinkedHashMap<>();
        job.roles().forEach(role -> roles.put(kind.key(role.type()), replica(role, kind.pod(seen, role.type()))));
        return roles;
    }

    private Map<String, Object> replica(RoleSpec role, PodTemplateConventions conventions) {
        Map<String, Object> replica = OrderedMaps.of(
                "replicas", role.replicas(), "restartPolicy", RestartPolicyConversion.write(kind, job, role, report));
        replica.put("template", new PodWriter(job, options, conventions, report).template(role));
        losses.relaunchLimit(role, "restarts are limited for the job as a whole, if at all");
        if (kind.port() == 0) {
            losses.port(role, "the roles of this kind have no port");
        }
        return replica;
    }
}
