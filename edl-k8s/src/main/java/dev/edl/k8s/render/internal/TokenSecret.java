package dev.edl.k8s.render.internal;

import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.Framework;
import dev.edl.spec.RoleType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;

/**
 * Secret with the token of a training's replicas. A job of framework elasticdl has it if its variable
 * {@value #VARIABLE} names a file that none of the pod's own volumes has.
 */
public final class TokenSecret {
    /** Environment variable that has the path of the token's file. */
    public static final String VARIABLE = "EDL_TOKEN_FILE";

    /** Length of a token in bytes. */
    public static final int BYTES = 32;

    private static final String KEY = "token";
    private static final String VOLUME = "edl-token";
    private static final int READABLE = 0444;

    private TokenSecret() {}

    /**
     * Returns the name of a job's Secret. It contains the run, because the Secret of an earlier job of the same name
     * may still await garbage collection.
     */
    public static String name(JobPlan plan) {
        return "edl-token-" + plan.name() + "-"
                + HexFormat.of().toHexDigits(plan.runId().hashCode());
    }

    /**
     * Returns whether pods of the job mount the Secret.
     *
     * @param pods returns a pod of a role
     */
    public static boolean isNeeded(JobPlan plan, Function<RoleType, PodTemplateSpec> pods) {
        return plan.roles().stream()
                .flatMap(role -> pods.apply(role.type()).getSpec().getVolumes().stream())
                .anyMatch(volume -> volume.getSecret() != null
                        && name(plan).equals(volume.getSecret().getSecretName()));
    }

    /** Mounts the Secret in a pod of a role that needs it and has no {@link #mistake}. */
    public static void mount(JobPlan plan, RolePlan role, PodTemplateSpec pod) {
        file(plan, role)
                .filter(file -> pod.getSpec().getContainers().get(0).getVolumeMounts().stream()
                        .map(VolumeMount::getMountPath)
                        .noneMatch(own -> file.equals(own) || file.startsWith(own.endsWith("/") ? own : own + "/")))
                .ifPresent(file -> PodAdditions.mount(
                        pod,
                        new VolumeBuilder()
                                .withName(VOLUME)
                                .withNewSecret()
                                .withSecretName(name(plan))
                                .withDefaultMode(READABLE)
                                .addNewItem()
                                .withKey(KEY)
                                .withPath(file.substring(file.lastIndexOf('/') + 1))
                                .endItem()
                                .endSecret()
                                .build(),
                        new VolumeMountBuilder()
                                .withName(VOLUME)
                                .withMountPath(file.substring(0, file.lastIndexOf('/')))
                                .withReadOnly(true)
                                .build()));
    }

    /** Returns why a role cannot have the Secret at the path that its variable names; empty if it can. */
    public static Optional<String> mistake(JobPlan plan, RolePlan role) {
        return file(plan, role)
                .filter(file -> !file.matches("(/[^/]+){2,}"))
                .map(wrong -> role.type() + ".env " + VARIABLE
                        + " must be the absolute path of a file in a folder of its own, was \"" + wrong
                        + "\"; for example /run/edl/token");
    }

    private static Optional<String> file(JobPlan plan, RolePlan role) {
        return Optional.ofNullable(role.template().env().get(VARIABLE))
                .filter(said -> plan.framework() == Framework.ELASTICDL);
    }

    /**
     * Returns a job's Secret, in the form that the replicas read.
     *
     * @param token {@value #BYTES} bytes that are hard to guess
     */
    public static HasMetadata create(JobPlan plan, Optional<OwnerReference> owner, byte[] token) {
        String line = HexFormat.of().formatHex(token) + "\n";
        return new SecretBuilder()
                .withNewMetadata()
                .withName(name(plan))
                .withNamespace(plan.namespace())
                .withLabels(plan.selector())
                .withAnnotations(plan.annotations())
                .withOwnerReferences(owner.stream().toList())
                .endMetadata()
                .addToData(KEY, Base64.getEncoder().encodeToString(line.getBytes(StandardCharsets.US_ASCII)))
                .build();
    }
}
