package dev.edl.k8s.render;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.immutables.value.Value;

/**
 * Settings of the options for one scope: the whole job, or one role. The Kubernetes objects in it are copies that never
 * change.
 */
@Value.Immutable
@Value.Style(
        visibility = Value.Style.ImplementationVisibility.PACKAGE,
        jdkOnly = true,
        depluralize = false,
        deferCollectionAllocation = true)
interface PodSettings {
    Optional<String> serviceAccount();

    List<PolicyRule> apiRules();

    List<String> pullSecrets();

    Optional<String> pullPolicy();

    List<Toleration> tolerations();

    Map<String, String> nodeSelector();

    Optional<Affinity> affinity();

    Optional<Boolean> hostNetwork();

    Optional<String> scheduler();

    List<Container> sidecars();

    List<Container> initContainers();

    List<EnvVar> env();

    List<EnvFromSource> envFrom();

    List<MountedVolume> volumes();

    OptionalLong runAsUser();

    OptionalLong fsGroup();

    Optional<PodSecurity> security();

    List<Accelerator> accelerators();

    List<String> claimTemplates();

    Map<String, String> labels();

    Map<String, String> annotations();

    List<UnaryOperator<PodTemplateSpec>> tweaks();

    /** Volume and its mount. */
    record MountedVolume(Volume volume, VolumeMount mount) {}

    /** Returns the pull Secrets without duplicates, because a role may name one of the whole job. */
    default List<LocalObjectReference> pulls() {
        return pullSecrets().stream().distinct().map(LocalObjectReference::new).toList();
    }

    /**
     * Returns these settings combined with {@code base}: single values replace those of {@code base}, maps replace them
     * by key, and lists are appended.
     */
    default PodSettings over(PodSettings base) {
        return ImmutablePodSettings.builder().from(base).from(this).build();
    }
}
