package dev.edl.operators.crd.mxjob;

import dev.edl.CleanupPolicy;
import dev.edl.Framework;
import dev.edl.RoleType;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.Loss;
import dev.edl.operators.crd.Reading;
import dev.edl.operators.crd.internal.Fields;
import dev.edl.operators.crd.internal.Meta;
import dev.edl.operators.crd.internal.PodForm;
import dev.edl.operators.crd.internal.PodReader;
import dev.edl.operators.crd.internal.ReplicaSpecs;
import dev.edl.operators.crd.internal.Report;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RunPolicy;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads an MxJob, with the rules and words of its operator's validation. */
final class MxJobReader {
    private static final List<String> SPEC = List.of("RuntimeId", "jobMode", "replicaSpecs");
    private static final List<String> REPLICA = List.of("replicas", "mxReplicaType", "PsRootPort", "template");

    private final CustomObject resource;
    private final Report report;
    private final PodReader pods;
    private final JobSpec.Builder job = JobSpec.builder().framework(Framework.MXNET);
    private final Map<RoleType, Integer> given = new EnumMap<>(RoleType.class);

    MxJobReader(CustomObject resource) {
        this.resource = resource;
        this.report = new Report(resource.kind(), resource.name());
        this.pods = new PodReader(MxJobRules.pod("local"), resource);
    }

    Reading read() {
        if (!resource.kind().equals(MxJobRules.KIND)
                || MxJobGroup.of(resource.apiVersion()).isEmpty()) {
            Meta.refuse(resource, "those of an MxJob, for example mxnet.mlkube.io/v1beta1 and MxJob", report);
        }
        Fields object = Fields.of(ReplicaSpecs.named(resource.fields(), report), report, Meta.OBJECT);
        Meta.read(object, job);
        object.fields("spec", SPEC).ifPresentOrElse(this::spec, () -> object.wrong("spec", "is missing"));
        job.policy(RunPolicy.builder().cleanup(CleanupPolicy.NONE).build());
        return new Reading(report.job(job), pods.options(), report.losses());
    }

    private void spec(Fields spec) {
        spec.filled("RuntimeId").ifPresent(job::runId);
        String mode = spec.filled("jobMode").orElse("");
        PodForm form = MxJobRules.pod(mode);
        spec.items("replicaSpecs", REPLICA).forEach(replica -> replica(replica, form));
        MxJobRules.check(mode, given, report);
    }

    private void replica(Fields replica, PodForm form) {
        String word = replica.filled("mxReplicaType").orElse("WORKER");
        Optional<RoleType> found =
                MxJobRules.TYPES.stream().filter(one -> one.name().equals(word)).findFirst();
        if (found.isEmpty()) {
            report.mistake(replica.path() + ": MxReplicaSpec.MxReplicaType is " + word
                    + " but must be one of [SCHEDULER SERVER WORKER]");
            return;
        }
        RoleType type = found.get();
        int[] replicas = {1};
        replica.whole("replicas", count -> replicas[0] = count);
        if (given.putIfAbsent(type, replicas[0]) != null) {
            report.mistake(replica.path() + ": " + type.name()
                    + " is given twice; the names of its replicas would be the same");
            return;
        }
        if (type == RoleType.SCHEDULER && replicas[0] != 1) {
            report.mistake(replica.path() + ": The SCHEDULER must have Replicas = 1");
            return;
        }
        RoleTemplate.Builder template = template(replica, type, form);
        replica.whole("PsRootPort", port -> {
            if (port != MxJobRules.PORT) {
                template.port(port);
            }
        });
        job.addRoles(RoleSpec.builder()
                .type(type)
                .replicas(replicas[0])
                .template(template.build())
                .build());
    }

    private RoleTemplate.Builder template(Fields replica, RoleType type, PodForm form) {
        if (!replica.has("template")) {
            report.mistake(replica.path() + ": Replica is missing Template; "
                    + Loss.of("", replica.content(), "").value());
            return RoleTemplate.builder();
        }
        return pods.read(form, replica, type, true).orElseGet(() -> {
            report.mistake(replica.path() + ": Replica type " + type.name() + " is missing a container for mxnet");
            return RoleTemplate.builder();
        });
    }
}
