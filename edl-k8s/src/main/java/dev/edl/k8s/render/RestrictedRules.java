package dev.edl.k8s.render;

import io.fabric8.kubernetes.api.model.AppArmorProfile;
import io.fabric8.kubernetes.api.model.Capabilities;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.SELinuxOptions;
import io.fabric8.kubernetes.api.model.SeccompProfile;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The Pod Security Standard {@code restricted}, with {@code baseline} beneath it, as Kubernetes' admission checks it.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/security/pod-security-standards/">Kubernetes: Pod Security
 *     Standards</a>
 */
final class RestrictedRules {
    private static final Set<String> CONFINED = Set.of("RuntimeDefault", "Localhost");
    private static final Set<String> SE_TYPES =
            Set.of("container_t", "container_init_t", "container_kvm_t", "container_engine_t");
    private static final Set<String> SAFE_SYSCTLS = Set.of(
            "kernel.shm_rmid_forced",
            "net.ipv4.ip_local_port_range",
            "net.ipv4.ip_unprivileged_port_start",
            "net.ipv4.tcp_syncookies",
            "net.ipv4.ping_group_range",
            "net.ipv4.ip_local_reserved_ports",
            "net.ipv4.tcp_keepalive_time",
            "net.ipv4.tcp_fin_timeout",
            "net.ipv4.tcp_keepalive_intvl",
            "net.ipv4.tcp_keepalive_probes");

    private final PodSpec spec;
    private final PodSecurityContext context;
    private final List<String> violations = new ArrayList<>();

    RestrictedRules(PodTemplateSpec pod) {
        this.spec = pod.getSpec() == null ? new PodSpec() : pod.getSpec();
        this.context = spec.getSecurityContext() == null ? new PodSecurityContext() : spec.getSecurityContext();
    }

    List<String> violations() {
        not("spec.hostNetwork", spec.getHostNetwork());
        not("spec.hostPID", spec.getHostPID());
        not("spec.hostIPC", spec.getHostIPC());
        if (context.getWindowsOptions() != null) {
            not(
                    "spec.securityContext.windowsOptions.hostProcess",
                    context.getWindowsOptions().getHostProcess());
        }
        root("spec.securityContext", context.getRunAsUser());
        seLinux("spec.securityContext: ", context.getSeLinuxOptions());
        PodRules.given(context.getSysctls()).stream()
                .filter(sysctl -> !SAFE_SYSCTLS.contains(sysctl.getName()))
                .forEach(
                        sysctl -> violations.add("spec.securityContext.sysctls: " + sysctl.getName() + " is not safe"));
        PodRules.given(spec.getVolumes()).stream()
                .filter(volume -> !allowed(volume))
                .forEach(volume -> violations.add("spec.volumes: " + volume.getName()
                        + " must be a claim, configMap, secret, emptyDir, projected, downwardAPI, csi or ephemeral"
                        + " volume" + (volume.getHostPath() == null ? "" : ", is a host path")));
        PodRules.containers(spec).forEach(this::container);
        return List.copyOf(violations);
    }

    private static boolean allowed(Volume volume) {
        return volume.getPersistentVolumeClaim() != null
                || volume.getConfigMap() != null
                || volume.getSecret() != null
                || volume.getEmptyDir() != null
                || volume.getProjected() != null
                || volume.getDownwardAPI() != null
                || volume.getCsi() != null
                || volume.getEphemeral() != null;
    }

    private void container(Container container) {
        String path = "container " + container.getName() + ": ";
        SecurityContext own =
                container.getSecurityContext() == null ? new SecurityContext() : container.getSecurityContext();
        not(path + "privileged", own.getPrivileged());
        if (!Boolean.FALSE.equals(own.getAllowPrivilegeEscalation())) {
            violations.add(path + "allowPrivilegeEscalation must be false");
        }
        capabilities(path, own.getCapabilities());
        Boolean nonRoot = own.getRunAsNonRoot() == null ? context.getRunAsNonRoot() : own.getRunAsNonRoot();
        if (!Boolean.TRUE.equals(nonRoot)) {
            violations.add(path + "runAsNonRoot must be true");
        }
        root(path.substring(0, path.length() - 2), own.getRunAsUser());
        SeccompProfile seccomp =
                own.getSeccompProfile() == null ? context.getSeccompProfile() : own.getSeccompProfile();
        if (seccomp == null || !CONFINED.contains(String.valueOf(seccomp.getType()))) {
            violations.add(path + "seccompProfile must be RuntimeDefault or Localhost");
        }
        AppArmorProfile armor =
                own.getAppArmorProfile() == null ? context.getAppArmorProfile() : own.getAppArmorProfile();
        if (armor != null && !CONFINED.contains(String.valueOf(armor.getType()))) {
            violations.add(path + "appArmorProfile must be RuntimeDefault or Localhost, was " + armor.getType());
        }
        seLinux(path, own.getSeLinuxOptions());
        if (own.getProcMount() != null && !own.getProcMount().equals("Default")) {
            violations.add(path + "procMount must be Default, was " + own.getProcMount());
        }
        PodRules.given(container.getPorts()).stream()
                .filter(port -> port.getHostPort() != null && port.getHostPort() != 0)
                .forEach(port -> violations.add(path + "hostPort must not be given, was " + port.getHostPort()));
    }

    private void capabilities(String path, @Nullable Capabilities capabilities) {
        if (capabilities == null || !PodRules.given(capabilities.getDrop()).contains("ALL")) {
            violations.add(path + "capabilities.drop must hold ALL");
        }
        if (capabilities != null) {
            PodRules.given(capabilities.getAdd()).stream()
                    .filter(added -> !added.equals("NET_BIND_SERVICE"))
                    .forEach(added ->
                            violations.add(path + "capabilities.add may hold NET_BIND_SERVICE only, holds " + added));
        }
    }

    private void seLinux(String path, @Nullable SELinuxOptions options) {
        if (options != null
                && (given(options.getUser())
                        || given(options.getRole())
                        || (given(options.getType()) && !SE_TYPES.contains(options.getType())))) {
            violations.add(path + "seLinuxOptions must name no user or role, and no type but those of containers");
        }
    }

    private static boolean given(@Nullable String text) {
        return text != null && !text.isEmpty();
    }

    private void root(String path, @Nullable Long user) {
        if (user != null && user == 0) {
            violations.add(path + ": runAsUser must not be 0");
        }
    }

    private void not(String path, @Nullable Boolean value) {
        if (Boolean.TRUE.equals(value)) {
            violations.add(path + " must not be true");
        }
    }
}
