package dev.edl.operators.controller;

import dev.edl.Job;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.controller.internal.JobAnnotations;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.et.TrainingJobs;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.JobSpec;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * EDL job that a TrainingJob specifies, with et-operator's rules. When the launcher ends, the job ends, whatever the
 * launcher's exit code. A launcher whose pod was deleted is created again, unless its restartPolicy is Never.
 *
 * @param plan plan of the job
 * @param options options of the job's pods, which the TrainingJob owns
 * @param losses text for people that lists the TrainingJob's ignored settings; empty for none
 */
record ConvertedTrainingJob(JobPlan plan, PodOptions options, String losses) {
    private static final ExitCodePolicy NO_EXIT_CODES = new ExitCodePolicy(Set.of(), Set.of());

    /**
     * Reads a TrainingJob.
     *
     * @throws dev.edl.operators.crd.InvalidResourceException when the object cannot be a job
     */
    static ConvertedTrainingJob of(CustomObject object, String initImage) {
        JobReadResult result = TrainingJobs.read(object);
        JobSpec spec = result.job().spec();
        List<RoleSpec> roles =
                spec.roles().stream().map(ConvertedTrainingJob::ruled).toList();
        JobPlan plan = Job.of(JobSpec.builder().from(spec).roles(roles).build()).plan(Profile.ET_V1ALPHA1);
        PodOptions options = result.options().toBuilder()
                .owner(object.toKubernetes())
                .pod(pod -> withImage(pod, initImage))
                .build();
        Stream<String> ofSpec = result.losses().stream()
                // Only losses of the spec, as the user set it. A launcher's restartPolicy is not lost here: EDL
                // recreates a launcher whose pod no longer exists.
                .filter(loss -> loss.path().startsWith("spec.") && !loss.path().endsWith("launcher.restartPolicy"))
                .map(Object::toString);
        String losses = Stream.concat(ofSpec, JobAnnotations.unfollowed(object).stream())
                .collect(Collectors.joining("; "));
        return new ConvertedTrainingJob(plan, options, losses);
    }

    private static RoleSpec ruled(RoleSpec role) {
        RoleTemplate.Builder template =
                RoleTemplate.builder().from(role.template()).exitCodes(NO_EXIT_CODES);
        if (role.type() == RoleType.LAUNCHER) {
            template.relaunchLimit(0).restart(role.template().restart().orElse(RestartPolicy.ON_FAILURE));
        }
        RoleSpec.Builder ruled = RoleSpec.builder().from(role).template(template.build());
        return ruled.build();
    }

    private static PodTemplateSpec withImage(PodTemplateSpec pod, String image) {
        pod.getSpec().getInitContainers().stream()
                .filter(first -> first.getName().equals("init-hostfile"))
                .forEach(first -> first.setImage(image));
        return pod;
    }
}
