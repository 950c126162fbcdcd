package dev.edl.operators.crd.tfjob;

import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.CustomObjectFieldReader;
import dev.edl.operators.crd.internal.PodReader;
import dev.edl.operators.crd.internal.ReplicaSpecsSpelling;
import dev.edl.operators.crd.internal.ResourceMetadata;
import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import dev.edl.spec.RunPolicy;
import dev.edl.spec.SuccessPolicy;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads a TfJob, with the rules and messages of its operator's validation. */
final class TfJobReader {
    static final Set<RoleType> TYPES = EnumSet.of(RoleType.MASTER, RoleType.PS, RoleType.WORKER);

    private static final String OWN_IMAGE = "tensorflow/tensorflow:1.3.0";
    private static final List<String> SPEC =
            List.of("RuntimeId", "replicaSpecs", "tensorboard", "tfImage", "terminationPolicy", "schedulerName");
    private static final List<String> REPLICA =
            List.of("replicas", "template", "tfPort", "tfReplicaType", "IsDefaultPS");

    private final CustomObject resource;
    private final ConversionReport report;
    private final PodReader pods;
    private final TfJobRelease release;
    private final JobSpec.Builder job = JobSpec.builder().framework(Framework.TENSORFLOW);
    private final Set<RoleType> given = EnumSet.noneOf(RoleType.class);
    private Optional<SuccessPolicy> success = Optional.empty();

    TfJobReader(CustomObject resource) {
        this.resource = resource;
        this.report = new ConversionReport(resource.kind(), resource.name());
        Optional<TfJobRelease> found = TfJobRelease.of(resource.apiVersion(), resource.kind());
        if (found.isEmpty()) {
            ResourceMetadata.refuse(
                    resource, "those of a TfJob, for example tensorflow.org/v1alpha1 and TfJob", report);
        }
        this.pods = new PodReader(TfJobWriter.POD, resource);
        this.release = found.orElseThrow();
    }

    JobReadResult read() {
        CustomObjectFieldReader object = CustomObjectFieldReader.of(
                ReplicaSpecsSpelling.named(resource, report), report, ResourceMetadata.OBJECT);
        ResourceMetadata.read(object, job);
        Optional<CustomObjectFieldReader> spec = object.fields("spec", SPEC);
        spec.ifPresentOrElse(this::spec, () -> object.wrong("spec", "is missing"));
        RunPolicy.Builder policy = RunPolicy.builder().cleanup(release.cleanup());
        success.ifPresent(policy::success);
        return new JobReadResult(report.job(job.policy(policy.build())), pods.options(), report.losses());
    }

    private void spec(CustomObjectFieldReader spec) {
        spec.filled("RuntimeId").ifPresent(job::runId);
        List<CustomObjectFieldReader> replicas = spec.items("replicaSpecs", REPLICA);
        replicas.forEach(this::replica);
        if (replicas.isEmpty()) {
            spec.wrong("replicaSpecs", "must hold at least one, held none");
        }
        termination(spec);
        TensorBoardSpec.read(spec).ifPresent(board -> pods.whole().tensorBoard(board));
        spec.filled("tfImage")
                .filter(image -> !image.equals(OWN_IMAGE))
                .ifPresent(image -> option(spec, "tfImage", () -> pods.whole().tfImage(image)));
        spec.filled("schedulerName")
                .ifPresent(
                        name -> option(spec, "schedulerName", () -> pods.whole().scheduler(name)));
    }

    private void option(CustomObjectFieldReader spec, String key, Runnable option) {
        try {
            option.run();
        } catch (IllegalArgumentException e) {
            spec.wrong(key, "cannot be read: " + e.getMessage());
        }
    }

    private void replica(CustomObjectFieldReader replica) {
        Optional<RoleType> found = type(replica);
        if (found.isEmpty()) {
            return;
        }
        RoleType type = found.get();
        if (!given.add(type)) {
            report.mistake(replica.path() + ": " + type.name()
                    + " is given twice; the names of its replicas would be the same");
            return;
        }
        int[] replicas = {1};
        replica.whole("replicas", count -> replicas[0] = count);
        if (type == RoleType.MASTER && replicas[0] != 1) {
            report.mistake(replica.path() + ": The MASTER must have Replicas = 1");
            return;
        }
        RoleTemplate.Builder template = template(replica, type, replicas[0] > 0);
        if (replicas[0] == 0) {
            report.loss(replica.path(), replica.content(), "a role of a job has at least one replica");
            given.remove(type);
            return;
        }
        replica.port("tfPort", port -> {
            if (port != 2222) {
                template.port(port);
            }
        });
        job.addRoles(RoleSpec.builder()
                .type(type)
                .replicas(replicas[0])
                .template(template.build())
                .build());
    }

    private Optional<RoleType> type(CustomObjectFieldReader replica) {
        String word = replica.filled("tfReplicaType").orElse("MASTER");
        Optional<RoleType> type =
                TYPES.stream().filter(one -> one.name().equals(word)).findFirst();
        if (type.isEmpty()) {
            report.mistake(replica.path() + ": tfReplicaSpec.TfReplicaType is " + word
                    + " but must be one of [MASTER PS WORKER]");
        }
        return type;
    }

    private RoleTemplate.Builder template(CustomObjectFieldReader replica, RoleType type, boolean counts) {
        boolean own = replica.flag("IsDefaultPS");
        if (type == RoleType.PS && release.hasOwnServers() && (own || !replica.has("template"))) {
            replica.map("template").ifPresent(this::ownServer);
            return RoleTemplate.builder();
        }
        if (!replica.has("template")) {
            report.mistake(replica.path() + ": Replica is missing Template; "
                    + ConversionLoss.of("", replica.content(), "").value());
            return RoleTemplate.builder();
        }
        return pods.read(replica, type, counts).orElseGet(() -> {
            report.mistake(
                    replica.path() + ": Replica type " + type.name() + " is missing a container named tensorflow");
            return RoleTemplate.builder();
        });
    }

    /**
     * Reads the template of parameter servers that run the operator's own server program. Only the image of this
     * template is configurable.
     */
    private void ownServer(CustomObjectFieldReader template) {
        Object image = template.map("spec")
                .flatMap(spec -> spec.items("containers").stream().findFirst())
                .map(container -> container.raw("image"))
                .orElse("");
        Map<String, Object> made = Map.of(
                "metadata",
                Map.of(),
                "spec",
                Map.of(
                        "containers",
                        List.of(Map.of(
                                "image",
                                image,
                                "name",
                                "tensorflow",
                                "resources",
                                Map.of(),
                                "volumeMounts",
                                List.of(Map.of("mountPath", "/ps-server", "name", "ps-config-volume")))),
                        "restartPolicy",
                        "OnFailure"));
        if (!CustomObjectFieldReader.sameSaid(template.content(), made)) {
            report.loss(
                    template.path(), template.content(), "it differs from the operator's own template (IsDefaultPS)");
        }
    }

    private void termination(CustomObjectFieldReader spec) {
        String name = "MASTER";
        int[] index = {0};
        Optional<CustomObjectFieldReader> policy = spec.fields("terminationPolicy", List.of("chief"));
        if (policy.isPresent()) {
            Optional<CustomObjectFieldReader> chief =
                    policy.get().fields("chief", List.of("replicaName", "replicaIndex"));
            if (chief.isEmpty()) {
                report.mistake(policy.get().path() + ": invalid termination policy, Chief cannot be nil");
                return;
            }
            name = chief.get().filled("replicaName").orElse("MASTER");
            chief.get().whole("replicaIndex", number -> index[0] = number);
        }
        String wanted = name;
        if (given.stream().noneMatch(type -> type.name().equals(wanted))) {
            report.mistake("spec: Missing ReplicaSpec for chief: " + wanted);
        } else if (wanted.equals("WORKER") && index[0] == 0 && !given.contains(RoleType.MASTER)) {
            success = Optional.of(SuccessPolicy.LEADER);
        } else if (!wanted.equals("MASTER") || index[0] != 0) {
            spec.lose("a job ends with its master or, without one, with worker 0 or all workers", "terminationPolicy");
        }
    }
}
