package dev.edl.k8s.render.internal;

import io.fabric8.kubernetes.api.model.AppArmorProfile;
import io.fabric8.kubernetes.api.model.Capabilities;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.SELinuxOptions;
import io.fabric8.kubernetes.api.model.SeccompProfile;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.WindowsSecurityContextOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Controls of Pod Security Standard {@code restricted}, and of {@code baseline} below it, in the order of Kubernetes'
 * page. Each version of the standard has its own rules: {@code MinimumVersion} in {@code policy/} of
 * k8s.io/pod-security-admission v0.36.3. Relaxations for Windows pods and for pods in a user namespace are left out, and so are
 * hosts of probes (1.34) and seccomp annotations (before 1.19).
 *
 * @see <a href="https://kubernetes.io/docs/concepts/security/pod-security-standards/">Kubernetes: Pod Security
 *     Standards</a>
 */
public final class RestrictedRules {
    /** Safe sysctls, each with the first minor version of the standard that allows it. */
    private static final Map<String, Integer> SYSCTLS = Map.ofEntries(
            Map.entry("kernel.shm_rmid_forced", 0),
            Map.entry("net.ipv4.ip_local_port_range", 0),
            Map.entry("net.ipv4.ip_local_reserved_ports", 27),
            Map.entry("net.ipv4.ip_unprivileged_port_start", 0),
            Map.entry("net.ipv4.ping_group_range", 0),
            Map.entry("net.ipv4.tcp_fin_timeout", 29),
            Map.entry("net.ipv4.tcp_keepalive_intvl", 29),
            Map.entry("net.ipv4.tcp_keepalive_probes", 29),
            Map.entry("net.ipv4.tcp_keepalive_time", 29),
            Map.entry("net.ipv4.tcp_rmem", 32),
            Map.entry("net.ipv4.tcp_syncookies", 0),
            Map.entry("net.ipv4.tcp_wmem", 32));

    private static final Map<String, Integer> SELINUX_TYPES =
            Map.of("", 0, "container_t", 0, "container_init_t", 0, "container_kvm_t", 0, "container_engine_t", 31);

    /** Capabilities that level {@code baseline} lets a container add, the rule before {@link #ALL_DROPPED}. */
    private static final Set<String> BASELINE_CAPABILITIES = Set.of(
            "AUDIT_WRITE",
            "CHOWN",
            "DAC_OVERRIDE",
            "FOWNER",
            "FSETID",
            "KILL",
            "MKNOD",
            "NET_BIND_SERVICE",
            "SETFCAP",
            "SETGID",
            "SETPCAP",
            "SETUID",
            "SYS_CHROOT");

    /** Minor version of the newest rules, below the version of a value that no version allows. */
    public static final int NEWEST = Integer.MAX_VALUE - 1;

    /** First minor versions of the standard that have a rule. */
    private static final int ESCALATION = 8;

    private static final int SECCOMP = 19;
    private static final int ALL_DROPPED = 22;
    private static final int USER = 23;
    private static final String APPARMOR = "container.apparmor.security.beta.kubernetes.io/";

    private final Map<String, String> annotations;
    private final PodSpec spec;
    private final PodSecurityContext pod;
    private final int minor;
    private final List<String> violations = new ArrayList<>();

    /** Creates the rules of the newest version. */
    public RestrictedRules(PodTemplateSpec template) {
        this(template, NEWEST);
    }

    /** @param minor minor version of the standard, 24 for {@code v1.24} */
    public RestrictedRules(PodTemplateSpec template, int minor) {
        this.minor = minor;
        ObjectMeta meta = template.getMetadata() == null ? new ObjectMeta() : template.getMetadata();
        this.annotations = meta.getAnnotations() == null ? Map.of() : meta.getAnnotations();
        this.spec = template.getSpec() == null ? new PodSpec() : template.getSpec();
        this.pod = spec.getSecurityContext() == null ? new PodSecurityContext() : spec.getSecurityContext();
    }

    public List<String> violations() {
        isNot("spec.hostNetwork", spec.getHostNetwork());
        isNot("spec.hostPID", spec.getHostPID());
        isNot("spec.hostIPC", spec.getHostIPC());
        String context = "spec.securityContext";
        windows(context, pod.getWindowsOptions());
        appArmor(context, pod.getAppArmorProfile());
        appArmorAnnotations();
        seLinux(context, pod.getSeLinuxOptions());
        seccomp(context, pod.getSeccompProfile(), true);
        user(context, pod.getRunAsUser());
        PodRules.given(pod.getSysctls()).stream()
                .filter(sysctl -> SYSCTLS.getOrDefault(sysctl.getName(), Integer.MAX_VALUE) > minor)
                .forEach(sysctl -> must(context + ".sysctls", "list safe sysctls only", sysctl.getName()));
        PodRules.given(spec.getVolumes()).forEach(this::volume);
        PodRules.given(spec.getInitContainers()).forEach(container -> container("initContainers", container));
        PodRules.given(spec.getContainers()).forEach(container -> container("containers", container));
        return List.copyOf(violations);
    }

    private void volume(Volume volume) {
        boolean allowed = volume.getConfigMap() != null
                || volume.getCsi() != null
                || volume.getDownwardAPI() != null
                || volume.getEmptyDir() != null
                || volume.getEphemeral() != null
                || volume.getImage() != null
                || volume.getPersistentVolumeClaim() != null
                || volume.getProjected() != null
                || volume.getSecret() != null;
        if (!allowed) {
            must(
                    "spec.volumes[" + volume.getName() + "]",
                    "be a configMap, csi, downwardAPI, emptyDir, ephemeral, image, persistentVolumeClaim, projected or secret",
                    volume.getHostPath() == null
                            ? "another"
                            : "hostPath " + volume.getHostPath().getPath());
        }
    }

    private void container(String list, Container container) {
        String path = "spec." + list + "[" + container.getName() + "]";
        PodRules.given(container.getPorts()).stream()
                .filter(port -> port.getHostPort() != null && port.getHostPort() != 0)
                .forEach(port -> must(path + ".ports", "not be on the host", port.getHostPort()));
        String context = path + ".securityContext";
        SecurityContext own =
                container.getSecurityContext() == null ? new SecurityContext() : container.getSecurityContext();
        windows(context, own.getWindowsOptions());
        isNot(context + ".privileged", own.getPrivileged());
        appArmor(context, own.getAppArmorProfile());
        seLinux(context, own.getSeLinuxOptions());
        if (own.getProcMount() != null && !own.getProcMount().equals("Default")) {
            must(context + ".procMount", "be Default", own.getProcMount());
        }
        if (minor >= ESCALATION && !Boolean.FALSE.equals(own.getAllowPrivilegeEscalation())) {
            must(context + ".allowPrivilegeEscalation", "be false", own.getAllowPrivilegeEscalation());
        }
        Boolean nonRoot = own.getRunAsNonRoot() == null ? pod.getRunAsNonRoot() : own.getRunAsNonRoot();
        if (!Boolean.TRUE.equals(nonRoot)) {
            must(context + ".runAsNonRoot", "be true, here or for the pod", nonRoot);
        }
        user(context, own.getRunAsUser());
        // A forbidden profile of the pod was reported above.
        seccomp(context, own.getSeccompProfile(), pod.getSeccompProfile() != null);
        capabilities(context + ".capabilities", own.getCapabilities());
    }

    private void windows(String context, @Nullable WindowsSecurityContextOptions options) {
        if (options != null) {
            isNot(context + ".windowsOptions.hostProcess", options.getHostProcess());
        }
    }

    private void appArmor(String context, @Nullable AppArmorProfile profile) {
        if (profile != null && !profiled(profile.getType())) {
            must(context + ".appArmorProfile.type", "be RuntimeDefault or Localhost", profile.getType());
        }
    }

    private void appArmorAnnotations() {
        annotations.forEach((key, value) -> {
            if (key.startsWith(APPARMOR) && !value.equals("runtime/default") && !value.startsWith("localhost/")) {
                must("metadata.annotations[" + key + "]", "be runtime/default or localhost/*", value);
            }
        });
    }

    private void seLinux(String context, @Nullable SELinuxOptions options) {
        if (options == null) {
            return;
        }
        String type = options.getType() == null ? "" : options.getType();
        if (SELINUX_TYPES.getOrDefault(type, Integer.MAX_VALUE) > minor) {
            must(context + ".seLinuxOptions.type", "be a container type", type);
        }
        if (options.getUser() != null && !options.getUser().isEmpty()) {
            must(context + ".seLinuxOptions.user", "not be given", options.getUser());
        }
        if (options.getRole() != null && !options.getRole().isEmpty()) {
            must(context + ".seLinuxOptions.role", "not be given", options.getRole());
        }
    }

    private void seccomp(String context, @Nullable SeccompProfile profile, boolean mayBeAbsent) {
        String type = profile == null ? null : profile.getType();
        if (minor >= SECCOMP && !(profile == null && mayBeAbsent) && !profiled(type)) {
            must(context + ".seccompProfile.type", "be RuntimeDefault or Localhost, here or for the pod", type);
        }
    }

    private static boolean profiled(@Nullable String type) {
        return "RuntimeDefault".equals(type) || "Localhost".equals(type);
    }

    private void user(String context, @Nullable Long user) {
        if (minor >= USER && user != null && user == 0) {
            must(context + ".runAsUser", "not be root", user);
        }
    }

    private void capabilities(String path, @Nullable Capabilities capabilities) {
        Collection<String> drop = PodRules.given(capabilities == null ? null : capabilities.getDrop());
        if (minor >= ALL_DROPPED && !drop.contains("ALL")) {
            must(path + ".drop", "hold ALL", drop.isEmpty() ? null : String.join(", ", drop));
        }
        boolean strict = minor >= ALL_DROPPED;
        PodRules.given(capabilities == null ? null : capabilities.getAdd()).stream()
                .filter(name -> strict ? !name.equals("NET_BIND_SERVICE") : !BASELINE_CAPABILITIES.contains(name))
                .forEach(name -> must(
                        path + ".add",
                        "hold " + (strict ? "NET_BIND_SERVICE" : "default capabilities") + " at most",
                        name));
    }

    private void isNot(String path, @Nullable Boolean value) {
        if (Boolean.TRUE.equals(value)) {
            must(path, "not be true", value);
        }
    }

    private void must(String path, String rule, @Nullable Object was) {
        violations.add(path + " must " + rule + ", was " + (was == null ? "not given" : was));
    }
}
