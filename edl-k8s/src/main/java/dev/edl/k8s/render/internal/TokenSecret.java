package dev.edl.k8s.render.internal;

import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.render.RenderException;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.spec.Framework;
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

    /** Returns whether pods of the job mount the Secret. */
    public static boolean isNeeded(JobPlan plan, PodOptions options) {
        PodTemplates pods = PodTemplates.of(plan, options);
        return plan.roles().stream()
                .flatMap(role -> pods.get(role.type(), 0, 0).getSpec().getVolumes().stream())
                .anyMatch(volume -> volume.getSecret() != null
                        && name(plan).equals(volume.getSecret().getSecretName()));
    }

    /** Mounts the Secret in a pod of a role that needs it. */
    public static void mount(JobPlan plan, RolePlan role, PodTemplateSpec pod) {
        file(plan, role)
                .filter(file -> pod.getSpec().getContainers().get(0).getVolumeMounts().stream()
                        .map(VolumeMount::getMountPath)
                        .noneMatch(own -> file.equals(own) || file.startsWith(own.endsWith("/") ? own : own + "/")))
                .ifPresent(file -> PodParts.mount(
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

    private static Optional<String> file(JobPlan plan, RolePlan role) {
        Optional<String> file = Optional.ofNullable(role.template().env().get(VARIABLE))
                .filter(said -> plan.framework() == Framework.ELASTICDL);
        file.filter(said -> !said.matches("(/[^/]+){2,}")).ifPresent(wrong -> {
            throw new RenderException("job \"" + plan.name() + "\": " + role.type() + ".env " + VARIABLE
                    + " must be the absolute path of a file in a folder of its own, was \"" + wrong
                    + "\"; for example /run/edl/token");
        });
        return file;
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
