package dev.edl.k8s.render;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Settings that a pod needs to meet Kubernetes' Pod Security Standard {@code restricted}.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted">Kubernetes: Pod
 *     Security Standards</a>
 */
final class RestrictedDefaults {
    private RestrictedDefaults() {}

    /** Returns the pod-level settings; empty when there are none. */
    static Optional<PodSecurityContext> pod(PodSecurity security, PodSettings settings) {
        PodSecurityContextBuilder context = new PodSecurityContextBuilder();
        settings.runAsUser().ifPresent(context::withRunAsUser);
        settings.fsGroup().ifPresent(context::withFsGroup);
        if (security == PodSecurity.AS_GIVEN) {
            return settings.runAsUser().isEmpty() && settings.fsGroup().isEmpty()
                    ? Optional.empty()
                    : Optional.of(context.build());
        }
        return Optional.of(context.withRunAsNonRoot(true)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .build());
    }

    static void containers(PodSecurity security, PodSpec spec) {
        spec.setInitContainers(hardened(security, spec.getInitContainers()));
        spec.setContainers(hardened(security, spec.getContainers()));
    }

    private static List<Container> hardened(PodSecurity security, List<Container> containers) {
        return new ArrayList<>(containers.stream()
                .map(container -> container(security, container))
                .toList());
    }

    /** Returns the container with secure defaults for every field that it leaves unset. */
    static Container container(PodSecurity security, Container container) {
        if (security == PodSecurity.AS_GIVEN) {
            return container;
        }
        SecurityContext given =
                container.getSecurityContext() == null ? new SecurityContext() : container.getSecurityContext();
        SecurityContextBuilder context = new SecurityContextBuilder(given);
        if (given.getAllowPrivilegeEscalation() == null && !Boolean.TRUE.equals(given.getPrivileged())) {
            context.withAllowPrivilegeEscalation(false);
        }
        if (given.getCapabilities() == null || given.getCapabilities().getDrop().isEmpty()) {
            context.editOrNewCapabilities().withDrop("ALL").endCapabilities();
        }
        return new ContainerBuilder(container)
                .withSecurityContext(context.build())
                .build();
    }
}
