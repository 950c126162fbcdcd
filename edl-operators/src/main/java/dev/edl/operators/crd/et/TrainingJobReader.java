package dev.edl.operators.crd.et;

import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.CustomObjectFieldReader;
import dev.edl.operators.crd.internal.OperatorEnv;
import dev.edl.operators.crd.internal.PodReader;
import dev.edl.operators.crd.internal.PodTemplateConventions;
import dev.edl.operators.crd.internal.ResourceMetadata;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.ElasticBounds;
import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import dev.edl.spec.RunPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a TrainingJob. */
final class TrainingJobReader {
    static final List<RoleType> TYPES = List.of(RoleType.LAUNCHER, RoleType.WORKER);

    private static final List<String> SPEC = List.of(
            "cleanPodPolicy",
            "etReplicaSpecs",
            "launcherAttachMode",
            "slotsPerWorker",
            "restartPolicy",
            "backoffLimit");
    private static final List<String> ROLES = List.of("launcher", "worker");
    private static final List<String> LAUNCHER = List.of("replicas", "restartPolicy", "template");
    private static final List<String> WORKER =
            List.of("replicas", "minReplicas", "maxReplicas", "restartPolicy", "template");

    private final CustomObject resource;
    private final ConversionReport report;
    private final PodReader pods;
    private final JobSpec.Builder job = JobSpec.builder().framework(Framework.HOROVOD);

    TrainingJobReader(CustomObject resource) {
        this.resource = resource;
        this.report = new ConversionReport(resource.kind(), resource.name());
        this.pods = new PodReader(PodTemplateConventions.first("worker"), resource);
    }

    JobReadResult read() {
        if (!resource.kind().equals(TrainingJobs.KIND) || !resource.apiVersion().equals(TrainingJobs.API_VERSION)) {
            ResourceMetadata.refuse(resource, TrainingJobs.API_VERSION + " and " + TrainingJobs.KIND, report);
        }
        CustomObjectFieldReader object = CustomObjectFieldReader.of(resource, report, ResourceMetadata.OBJECT);
        ResourceMetadata.read(object, job);
        object.fields("spec", SPEC).ifPresentOrElse(this::spec, () -> object.wrong("spec", "is missing"));
        return new JobReadResult(report.job(job), pods.options(), report.losses());
    }

    private void spec(CustomObjectFieldReader spec) {
        RunPolicy.Builder policy = RunPolicy.builder();
        spec.filled("cleanPodPolicy").ifPresent(word -> {
            switch (word) {
                case "None" -> policy.cleanup(CleanupPolicy.NONE);
                case "Running" -> policy.cleanup(CleanupPolicy.RUNNING);
                case "All" -> policy.cleanup(CleanupPolicy.ALL);
                default -> spec.unknownWord("cleanPodPolicy", word, List.of("None", "Running", "All"));
            }
        });
        job.policy(policy.build());
        Optional<CustomObjectFieldReader> roles = spec.fields("etReplicaSpecs", ROLES);
        for (String role : ROLES) {
            if (roles.filter(given -> given.has(role)).isEmpty()) {
                spec.wrong("etReplicaSpecs", "must have " + role + ", which is missing");
            }
        }
        roles.ifPresent(given -> given.keys().forEach(key -> {
            if (ROLES.contains(key)) {
                RoleType type = RoleType.of(key);
                given.fields(key, type == RoleType.LAUNCHER ? LAUNCHER : WORKER).ifPresent(role -> role(role, type));
            }
        }));
        if ("kubexec".equals(spec.raw("launcherAttachMode"))) {
            pods.whole().kubexec();
        } else {
            spec.loseUnless("launcherAttachMode", "ssh", "a launcher reaches the workers by ssh or by kubexec");
        }
        slots(spec, roles.map(given -> given.raw("worker")).orElse(null));
        spec.loseUnless("restartPolicy", "Never", "a job relaunches single replicas, not itself");
        spec.number("backoffLimit", 0, Integer.MAX_VALUE, limit -> {});
        spec.loseUnless("backoffLimit", 6L, "a job relaunches single replicas, not itself");
    }

    /**
     * Checks the number of processes on a worker. A job has one for each device; reports a loss if the resource sets
     * another number, or et-operator would count another.
     */
    private void slots(CustomObjectFieldReader spec, @Nullable Object worker) {
        long[] slots = {WorkerSlots.byOperator(worker)};
        spec.whole("slotsPerWorker", number -> slots[0] = number);
        if (WorkerSlots.ofDevices(worker) != slots[0]) {
            report.loss(spec.at("slotsPerWorker"), slots[0], "a job has no setting for the processes of a replica");
        }
    }

    private void role(CustomObjectFieldReader role, RoleType type) {
        int[] replicas = {1};
        role.whole("replicas", count -> replicas[0] = count);
        if (type == RoleType.WORKER && !role.has("replicas")) {
            role.wrong("replicas", "is missing, without which the operator ends; for example replicas: 2");
        }
        RoleSpec.Builder spec = RoleSpec.builder().type(type).replicas(replicas[0]);
        elastic(role, replicas[0], spec);
        Optional<RoleTemplate.Builder> template = pods.read(form(type), role, type, true);
        if (template.isEmpty()) {
            role.wrong("template", "must have a container");
            return;
        }
        restart(role, type, template.get());
        RoleTemplate built = template.get().build();
        if (built.image().isEmpty()) {
            role.wrong("template", "must have an image in its first container");
        }
        job.addRoles(spec.template(built).build());
    }

    private PodTemplateConventions form(RoleType type) {
        Map<?, ?> spec = resource.fields().get("spec") instanceof Map<?, ?> map ? map : Map.of();
        return PodTemplateConventions.first(type.id()).setting(OperatorEnv.ET_V1ALPHA1.sets(spec, type));
    }

    private static void elastic(CustomObjectFieldReader role, int replicas, RoleSpec.Builder spec) {
        if (!role.has("minReplicas") && !role.has("maxReplicas")) {
            return;
        }
        int[] bounds = {1, replicas};
        role.whole("minReplicas", min -> bounds[0] = min);
        role.whole("maxReplicas", max -> bounds[1] = max);
        try {
            spec.elastic(new ElasticBounds(bounds[0], bounds[1]));
        } catch (IllegalArgumentException e) {
            role.report().mistake(role.path() + ": " + e.getMessage());
        }
    }

    private void restart(CustomObjectFieldReader role, RoleType type, RoleTemplate.Builder template) {
        String word = role.filled("restartPolicy").orElse("Never");
        if (type == RoleType.LAUNCHER) {
            if (word.equals("Always")) {
                role.lose(TrainingJobWriter.GONE, "restartPolicy");
            } else {
                template.restart(RestartPolicy.NEVER);
                role.loseUnless("restartPolicy", "Never", "the operator recreates no launcher whose pod is gone");
            }
        } else if (word.equals("ExitCode")) {
            role.lose("129 to 254 restart a worker there; a job has a limit of relaunches", "restartPolicy");
        } else {
            PodReader.restart(role, word, template);
        }
    }
}
