package dev.edl.testkit.k8s;

import static dev.edl.testkit.k8s.PodAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

/** Messages about the Pod Security Standard; its single controls are tested with the rules. */
class IsRestrictedTest {
    @Test
    void a_hardened_pod_passes() {
        assertThat(Serialization.unmarshal("""
                        spec:
                          securityContext:
                            runAsNonRoot: true
                            seccompProfile: {type: RuntimeDefault}
                          containers:
                          - name: main
                            securityContext:
                              allowPrivilegeEscalation: false
                              capabilities: {drop: [ALL]}
                        """, PodTemplateSpec.class)).isRestricted();
    }

    @Test
    void a_failure_lists_every_field() {
        PodTemplateSpec pod = Serialization.unmarshal("""
                spec:
                  hostNetwork: true
                  containers:
                  - name: main
                  volumes:
                  - name: disk
                    hostPath: {path: /mnt/disk}
                """, PodTemplateSpec.class);
        assertThatThrownBy(() -> assertThat(pod).isRestricted())
                .isInstanceOf(AssertionError.class)
                .hasMessage("""
                        pod with container "main": expected to meet the Pod Security Standard restricted, but
                          spec.hostNetwork must not be true, was true
                          spec.volumes[disk] must be a configMap, csi, downwardAPI, emptyDir, ephemeral, image, \
                        persistentVolumeClaim, projected or secret, was hostPath /mnt/disk
                          spec.containers[main].securityContext.allowPrivilegeEscalation must be false, was not given
                          spec.containers[main].securityContext.runAsNonRoot must be true, here or for the pod, was not given
                          spec.containers[main].securityContext.seccompProfile.type must be RuntimeDefault or Localhost, \
                        here or for the pod, was not given
                          spec.containers[main].securityContext.capabilities.drop must hold ALL, was not given""");
    }
}
