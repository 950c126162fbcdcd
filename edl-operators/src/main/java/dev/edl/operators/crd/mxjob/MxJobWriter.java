package dev.edl.operators.crd.mxjob;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.JobConversionLosses;
import dev.edl.operators.crd.internal.OrderedMaps;
import dev.edl.operators.crd.internal.PodWriter;
import dev.edl.operators.crd.internal.ResourceMetadata;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.ElasticBounds;
import dev.edl.spec.Framework;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleType;
import dev.edl.spec.SuccessPolicy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes an MxJob. */
final class MxJobWriter {
    private final Job job;
    private final PodOptions options;
    private final MxJobGroup group;
    private final ConversionReport report;
    private final JobConversionLosses losses;
    private final boolean local;
    private final String mode;
    private final PodWriter pods;

    MxJobWriter(Job job, PodOptions options, MxJobGroup group) {
        this.job = job;
        this.options = options;
        this.group = group;
        this.report = new ConversionReport(MxJobRules.KIND, job.name());
        this.losses = new JobConversionLosses(job, report);
        this.local = job.roles().size() == 1
                && job.role(RoleType.WORKER)
                        .filter(worker ->
                                worker.elastic().map(ElasticBounds::max).orElse(worker.replicas()) == 1)
                        .isPresent();
        this.mode = local ? "local" : "dist";
        this.pods = new PodWriter(job, options, MxJobRules.pod(mode), report);
    }

    ResourceWriteResult write() {
        losses.framework(Framework.MXNET);
        report.refuseMistakes();
        Map<RoleType, Integer> replicas = new EnumMap<>(RoleType.class);
        job.roles().forEach(role -> replicas.put(role.type(), role.replicas()));
        MxJobRules.check(mode, replicas, report);
        Map<String, Object> spec = new LinkedHashMap<>();
        job.spec().runId().ifPresent(id -> spec.put("RuntimeId", id));
        spec.put("jobMode", mode);
        List<Object> specs = new ArrayList<>();
        job.roles().forEach(role -> specs.add(replica(role)));
        spec.put("replicaSpecs", specs);
        end();
        losses.options(options);
        report.refuseMistakes();
        Map<String, Object> object = ResourceMetadata.write(job, group.apiVersion(), MxJobRules.KIND);
        object.put("spec", spec);
        return new ResourceWriteResult(CustomObject.of(object), report.losses());
    }

    private Map<String, Object> replica(RoleSpec role) {
        Map<String, Object> replica = OrderedMaps.of(
                "replicas", role.replicas(), "mxReplicaType", role.type().name());
        job.spec().effective(role).port().ifPresent(port -> replica.put("PsRootPort", port));
        replica.put("template", pods.template(role));
        Set<String> env = new LinkedHashSet<>(job.spec().effective(role).env().keySet());
        env.addAll(job.spec().effective(role).secretEnv().keySet());
        env.addAll(pods.variables(role.type()));
        if (!local && !env.isEmpty()) {
            report.loss(
                    role.type() + ".env",
                    String.join(",", env),
                    "the operator puts its own five variables in the place of the first five, and ends when there are"
                            + " fewer");
        }
        losses.elastic(role, "an MxJob has a fixed number of replicas");
        losses.exitCodes(role, "the operator has its own rule: 1 to 127 with a message and OOMKilled are final");
        losses.relaunchLimit(role, "the node restarts a container without a limit");
        return replica;
    }

    private void end() {
        job.spec()
                .policy()
                .success()
                .filter(success -> success == SuccessPolicy.LEADER && !local)
                .ifPresent(success ->
                        report.loss("success", JobConversionLosses.word(success), "the SCHEDULER's end is the job's"));
        CleanupPolicy cleanup = job.spec().policy().cleanup();
        if (cleanup != CleanupPolicy.NONE) {
            report.loss("cleanup", JobConversionLosses.word(cleanup), "this operator removes nothing at the end");
        }
        losses.times("an MxJob has no time limits");
        losses.backoff("the node waits before it restarts a container, from 10 s, doubling, up to 5 min");
    }
}
