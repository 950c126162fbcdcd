package dev.edl.operators.crd.mxjob;

import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.CustomObjectFieldReader;
import dev.edl.operators.crd.internal.PodReader;
import dev.edl.operators.crd.internal.PodTemplateConventions;
import dev.edl.operators.crd.internal.ReplicaSpecsSpelling;
import dev.edl.operators.crd.internal.ResourceMetadata;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import dev.edl.spec.RunPolicy;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads an MxJob, with the rules and messages of its operator's validation. */
final class MxJobReader {
    private static final List<String> SPEC = List.of("RuntimeId", "jobMode", "replicaSpecs");
    private static final List<String> REPLICA = List.of("replicas", "mxReplicaType", "PsRootPort", "template");

    private final CustomObject resource;
    private final ConversionReport report;
    private final PodReader pods;
    private final JobSpec.Builder job = JobSpec.builder().framework(Framework.MXNET);
    private final Map<RoleType, Integer> given = new EnumMap<>(RoleType.class);

    MxJobReader(CustomObject resource) {
        this.resource = resource;
        this.report = new ConversionReport(resource.kind(), resource.name());
        this.pods = new PodReader(MxJobRules.pod("local"), resource);
    }

    JobReadResult read() {
        if (!resource.kind().equals(MxJobRules.KIND)
                || MxJobGroup.of(resource.apiVersion()).isEmpty()) {
            ResourceMetadata.refuse(
                    resource, "those of an MxJob, for example mxnet.mlkube.io/v1beta1 and MxJob", report);
        }
        CustomObjectFieldReader object = CustomObjectFieldReader.of(
                ReplicaSpecsSpelling.named(resource, report), report, ResourceMetadata.OBJECT);
        ResourceMetadata.read(object, job);
        object.fields("spec", SPEC).ifPresentOrElse(this::spec, () -> object.wrong("spec", "is missing"));
        job.policy(RunPolicy.builder().cleanup(CleanupPolicy.NONE).build());
        return new JobReadResult(report.job(job), pods.options(), report.losses());
    }

    private void spec(CustomObjectFieldReader spec) {
        spec.filled("RuntimeId").ifPresent(job::runId);
        String mode = spec.filled("jobMode").orElse("");
        PodTemplateConventions conventions = MxJobRules.pod(mode);
        spec.items("replicaSpecs", REPLICA).forEach(replica -> replica(replica, conventions));
        MxJobRules.check(mode, given, report);
    }

    private void replica(CustomObjectFieldReader replica, PodTemplateConventions conventions) {
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
        RoleTemplate.Builder template = template(replica, type, conventions);
        replica.port("PsRootPort", port -> {
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

    private RoleTemplate.Builder template(
            CustomObjectFieldReader replica, RoleType type, PodTemplateConventions conventions) {
        if (!replica.has("template")) {
            report.mistake(replica.path() + ": Replica is missing Template; "
                    + ConversionLoss.of("", replica.content(), "").value());
            return RoleTemplate.builder();
        }
        return pods.read(conventions, replica, type, true).orElseGet(() -> {
            report.mistake(replica.path() + ": Replica type " + type.name() + " is missing a container for mxnet");
            return RoleTemplate.builder();
        });
    }
}
