package dev.edl.k8s.render.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.k8s.render.PodSecurity;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** One violation of each control, as Kubernetes' page on Pod Security Standards lists them. */
class RestrictedRulesTest {
    private static final String GOOD = """
            metadata:
              annotations: {note: first}
            spec:
              securityContext:
                runAsNonRoot: true
                seccompProfile: {type: RuntimeDefault}
              containers:
              - name: main
                securityContext:
                  allowPrivilegeEscalation: false
                  capabilities: {drop: [ALL]}
            """;

    private static List<String> violations(String yaml) {
        return PodSecurity.violations(Serialization.unmarshal(yaml, PodTemplateSpec.class));
    }

    @Test
    void a_hardened_pod_has_no_violations() {
        assertThat(violations(GOOD)).isEmpty();
    }

    @Test
    void settings_of_every_container_need_no_pod_setting() {
        assertThat(violations("""
                metadata: {}
                spec:
                  volumes:
                  - name: a
                    emptyDir: {}
                  - name: b
                    persistentVolumeClaim: {claimName: files}
                  containers:
                  - name: main
                    securityContext:
                      runAsNonRoot: true
                      runAsUser: 1000
                      seccompProfile: {type: Localhost, localhostProfile: p.json}
                      allowPrivilegeEscalation: false
                      capabilities: {drop: [ALL], add: [NET_BIND_SERVICE]}
                """)).isEmpty();
    }

    static Stream<Arguments> changes() {
        String pod = "    runAsNonRoot: true\n";
        String main = "      allowPrivilegeEscalation: false\n";
        String context = "spec.securityContext";
        String own = "spec.containers[main].securityContext";
        return Stream.of(
                Arguments.of("spec:\n", "spec:\n  hostPID: true\n", "spec.hostPID must not be true, was true"),
                Arguments.of("spec:\n", "spec:\n  hostIPC: true\n", "spec.hostIPC must not be true, was true"),
                Arguments.of(
                        pod,
                        pod + "    windowsOptions: {hostProcess: true}\n",
                        context + ".windowsOptions.hostProcess must not be true, was true"),
                Arguments.of(main, main + "      privileged: true\n", own + ".privileged must not be true, was true"),
                Arguments.of(
                        "- name: main\n",
                        "- name: main\n    ports: [{containerPort: 80, hostPort: 8080}]\n",
                        "spec.containers[main].ports must not be on the host, was 8080"),
                Arguments.of(
                        pod,
                        pod + "    appArmorProfile: {type: Unconfined}\n",
                        context + ".appArmorProfile.type must be RuntimeDefault or Localhost, was Unconfined"),
                Arguments.of(
                        "{note: first}",
                        "{container.apparmor.security.beta.kubernetes.io/main: unconfined}",
                        "metadata.annotations[container.apparmor.security.beta.kubernetes.io/main] must be"
                                + " runtime/default or localhost/*, was unconfined"),
                Arguments.of(
                        main,
                        main + "      seLinuxOptions: {type: spc_t}\n",
                        own + ".seLinuxOptions.type must be a container type, was spc_t"),
                Arguments.of(
                        main,
                        main + "      seLinuxOptions: {user: root}\n",
                        own + ".seLinuxOptions.user must not be given, was root"),
                Arguments.of(
                        main,
                        main + "      seLinuxOptions: {role: sysadm_r}\n",
                        own + ".seLinuxOptions.role must not be given, was sysadm_r"),
                Arguments.of(
                        main, main + "      procMount: Unmasked\n", own + ".procMount must be Default, was Unmasked"),
                Arguments.of(
                        "type: RuntimeDefault",
                        "type: Unconfined",
                        context + ".seccompProfile.type must be RuntimeDefault or Localhost, here or for the pod, was"
                                + " Unconfined"),
                Arguments.of(
                        pod,
                        pod + "    sysctls: [{name: kernel.msgmax, value: '1'}]\n",
                        context + ".sysctls must list safe sysctls only, was kernel.msgmax"),
                Arguments.of(
                        "Escalation: false",
                        "Escalation: true",
                        own + ".allowPrivilegeEscalation must be false, was true"),
                Arguments.of(
                        main,
                        main + "      runAsNonRoot: false\n",
                        own + ".runAsNonRoot must be true, here or for the pod, was false"),
                Arguments.of(pod, pod + "    runAsUser: 0\n", context + ".runAsUser must not be root, was 0"),
                Arguments.of(main, main + "      runAsUser: 0\n", own + ".runAsUser must not be root, was 0"),
                Arguments.of("[ALL]", "[CHOWN]", own + ".capabilities.drop must hold ALL, was CHOWN"),
                Arguments.of(
                        "[ALL]",
                        "[ALL], add: [SYS_ADMIN]",
                        own + ".capabilities.add must hold NET_BIND_SERVICE at most, was SYS_ADMIN"));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void each_control_is_checked(String before, String after, String violation) {
        assertThat(GOOD).contains(before);
        assertThat(violations(GOOD.replaceFirst(Pattern.quote(before), after))).containsExactly(violation);
    }

    // MinimumVersion of each check in policy/ of k8s.io/pod-security-admission v0.36.3.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Escalation: false | Escalation: true | 8",
                "type: RuntimeDefault | type: Unconfined | 19",
                "[ALL] | [CHOWN] | 22",
                "[ALL] | [ALL], add: [CHOWN] | 22",
                "runAsNonRoot: true | runAsNonRoot: true, runAsUser: 0 | 23",
            })
    void a_rule_begins_with_its_version(String before, String after, int first) {
        PodTemplateSpec pod = changed(before, after);

        assertThat(new RestrictedRules(pod, first - 1).violations()).isEmpty();
        assertThat(new RestrictedRules(pod, first).violations()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "'sysctls: [{name: net.ipv4.ip_local_reserved_ports}]', 27",
        "'sysctls: [{name: net.ipv4.tcp_keepalive_time}]', 29",
        "'sysctls: [{name: net.ipv4.tcp_rmem}]', 32",
        "'seLinuxOptions: {type: container_engine_t}', 31"
    })
    void a_value_is_allowed_from_its_version_on(String setting, int first) {
        PodTemplateSpec pod = changed("runAsNonRoot: true", "runAsNonRoot: true, " + setting);

        assertThat(new RestrictedRules(pod, first - 1).violations()).hasSize(1);
        assertThat(new RestrictedRules(pod, first).violations()).isEmpty();
        assertThat(PodSecurity.violations(pod)).isEmpty();
    }

    @Test
    void the_default_capabilities_may_be_added_before_all_must_be_dropped() {
        assertThat(new RestrictedRules(changed("[ALL]", "[], add: [CHOWN, NET_RAW]"), 21).violations())
                .containsExactly("spec.containers[main].securityContext.capabilities.add must hold default capabilities"
                        + " at most, was NET_RAW");
    }

    /** Returns the good pod with a change; its first settings are a flow mapping. */
    private static PodTemplateSpec changed(String before, String after) {
        String flow = GOOD.replace(
                "securityContext:\n    runAsNonRoot: true\n    seccompProfile: {type: RuntimeDefault}",
                "securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}");
        assertThat(flow).contains(before);
        return Serialization.unmarshal(flow.replace(before, after), PodTemplateSpec.class);
    }

    @Test
    void init_containers_are_checked() {
        assertThat(violations(GOOD + "  initContainers:\n  - name: fetch\n"))
                .hasSize(2)
                .allMatch(line -> line.startsWith("spec.initContainers[fetch].securityContext."));
    }
}
