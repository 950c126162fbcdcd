package dev.edl.k8s.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.plan.Profile;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TfJobOperatorConfigTest {
    private static final AcceleratorConfig AZURE = AcceleratorConfig.none()
            .volume("alpha.kubernetes.io/nvidia-gpu", "lib", "/usr/lib/nvidia-384", "/usr/lib/nvidia-384")
            .volume("alpha.kubernetes.io/nvidia-gpu", "libcuda", "/usr/lib/libcuda.so.1", "/usr/lib/libcuda.so.1")
            .env("alpha.kubernetes.io/nvidia-gpu", "LD_LIBRARY_PATH", "/usr/lib/nvidia-384");

    @Test
    void the_operator_s_file_is_read() {
        TfJobOperatorConfig config = TfJobOperatorConfig.parse("""
                grpcServerFilePath: /opt/mlkube/grpc_tensorflow_server/grpc_tensorflow_server.py
                tfImage: tensorflow/tensorflow:1.4.0
                accelerators:
                  alpha.kubernetes.io/nvidia-gpu:
                    volumes:
                      - name: lib
                        mountPath: /usr/lib/nvidia-384
                        hostPath: /usr/lib/nvidia-384
                      - name: libcuda
                        mountPath: /usr/lib/libcuda.so.1
                        hostPath: /usr/lib/libcuda.so.1
                    envVars:
                      - name: LD_LIBRARY_PATH
                        value: /usr/lib/nvidia-384
                """);

        assertThat(config.accelerators()).isEqualTo(AZURE);
        assertThat(config.tfImage()).contains("tensorflow/tensorflow:1.4.0");
        assertThat(config)
                .hasToString("tfImage=tensorflow/tensorflow:1.4.0\nalpha.kubernetes.io/nvidia-gpu: /usr/lib/nvidia-384"
                        + " <- host /usr/lib/nvidia-384, /usr/lib/libcuda.so.1 <- host /usr/lib/libcuda.so.1,"
                        + " LD_LIBRARY_PATH=/usr/lib/nvidia-384");
    }

    // kubectl create configmap tf-job-operator-config --from-file my-config.yaml, of a file that is the page's
    // ConfigMap
    @Test
    void a_config_map_from_the_pages_command_is_read() {
        ConfigMap made = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("tf-job-operator-config")
                .endMetadata()
                .addToData("my-config.yaml", """
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: tf-job-operator-config}
                        data:
                          controller_config_file.yaml: |
                            tfImage: tensorflow/tensorflow:1.4.0
                        """)
                .build();

        assertThat(TfJobOperatorConfig.of(made))
                .isEqualTo(TfJobOperatorConfig.parse("tfImage: tensorflow/tensorflow:1.4.0"));
    }

    // The form of the operator's page, with its path among the devices, and keys in another case.
    @Test
    void the_config_map_of_the_operator_s_page_is_read() {
        TfJobOperatorConfig config = TfJobOperatorConfig.parse("""
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: tf-job-operator-config
                  namespace: default
                data:
                  controller_config_file.yaml: |
                    Accelerators:
                      grpcServerFilePath: /opt/mlkube/grpc_tensorflow_server/grpc_tensorflow_server.py
                      alpha.kubernetes.io/nvidia-gpu:
                        volumes:
                          - name: lib
                            mountpath: /usr/lib/nvidia-384
                            hostpath: /usr/lib/nvidia-384
                          - name: libcuda
                            mountPath: /usr/lib/libcuda.so.1
                            hostPath: /usr/lib/libcuda.so.1
                        envVars:
                          - name: LD_LIBRARY_PATH
                            value: /usr/lib/nvidia-384
                """);

        assertThat(config).isEqualTo(new TfJobOperatorConfig(AZURE, Optional.empty()));
    }

    @Test
    void a_file_without_devices_has_none() {
        assertThat(TfJobOperatorConfig.parse("grpcServerFilePath: /opt/server.py\n")
                        .accelerators())
                .isEqualTo(AcceleratorConfig.none());
        assertThat(TfJobOperatorConfig.parse("accelerators:\n").accelerators()).isEqualTo(AcceleratorConfig.none());
    }

    @Test
    void every_mistake_is_in_one_exception() {
        assertThatThrownBy(() -> TfJobOperatorConfig.parse("""
                        tf_image: tf
                        accelerators:
                          nvidia.com/gpu:
                            volume: []
                            volumes:
                              - name: <volume-name>
                                mountPath: /a
                                hostPath: /b
                              - name: b
                                mountPath: relative
                                hostPath: /b
                              - name: c
                                hostPath: /b
                            envVars:
                              - name: DEBUG
                                value: 1
                          amd.com/gpu: yes
                        """))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("""
                    tf_image: unknown key; did you mean "tfImage"?
                    accelerators.nvidia.com/gpu.volume: unknown key; did you mean "volumes"?
                    accelerators.nvidia.com/gpu: a volume's name must be a DNS label of at most 63 characters, was\
                     "<volume-name>"; for example nvidia-libraries
                    accelerators.nvidia.com/gpu: a mount path must be absolute, without : and .., was "relative";\
                     for example /usr/local/nvidia
                    accelerators.nvidia.com/gpu.volumes[2].mountPath is missing
                    accelerators.nvidia.com/gpu.envVars[0].value must be text, was the number 1; for example "1"
                    accelerators.amd.com/gpu must be a map, was "yes\"\
                    """);
    }

    @Test
    void another_file_is_refused() {
        assertThatThrownBy(() -> TfJobOperatorConfig.parse("- a"))
                .hasMessage("the operator's configuration must be a map, was \"[a]\"; for example accelerators: {}");
        assertThatThrownBy(() -> TfJobOperatorConfig.parse("kind: ConfigMap\ndata: {other.yaml: a}"))
                .hasMessage("the operator's ConfigMap must have a text data.controller_config_file.yaml, has"
                        + " [other.yaml]");
        assertThatThrownBy(() -> TfJobOperatorConfig.parse("a: 1\na: 2"))
                .hasMessage("the operator's configuration must be one YAML document, was not at line 2, column 1: found"
                        + " duplicate key a");
    }

    // F.1, the page's example of a GPU
    @Test
    void a_job_s_pods_get_what_the_file_says() {
        TfJobOperatorConfig config = TfJobOperatorConfig.parse("""
                tfImage: tensorflow/tensorflow:1.4.0
                accelerators:
                  alpha.kubernetes.io/nvidia-gpu:
                    volumes:
                      - {name: lib, mountPath: /usr/local/nvidia, hostPath: /usr/lib/nvidia}
                """);
        PodTemplates pods = PodTemplates.of(
                Job.named("tf-smoke-gpu")
                        .tensorflow()
                        .image("i")
                        .master()
                        .build()
                        .plan(Profile.TFJOB_V1ALPHA1),
                PodOptions.builder()
                        .controllerConfig(config)
                        .accelerator(Accelerator.of("alpha.kubernetes.io/nvidia-gpu", 1))
                        .build());

        PodTemplateSpec master = pods.get("master", 0);

        assertThat(master.getSpec().getVolumes().get(0).getHostPath().getPath()).isEqualTo("/usr/lib/nvidia");
    }

    @Test
    void a_config_map_of_a_cluster_is_read_as_its_file_is() {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("tf-job-operator-config")
                .endMetadata()
                .addToData("controller_config_file.yaml", "tfImage: tensorflow/tensorflow:1.4.0")
                .build();

        assertThat(TfJobOperatorConfig.of(map))
                .isEqualTo(TfJobOperatorConfig.parse("tfImage: tensorflow/tensorflow:1.4.0"));
    }

    @Test
    void a_file_has_tabs_between_its_tokens_and_a_list_has_its_config_map() {
        String map =
                "{\n\t\"kind\": \"ConfigMap\",\n\t\"data\": {\"controller_config_file.yaml\": \"tfImage:\\tA:1\"}}";

        assertThat(TfJobOperatorConfig.parse(map)).isEqualTo(TfJobOperatorConfig.parse("tfImage: A:1"));
        assertThat(TfJobOperatorConfig.parse(
                        "{\"kind\": \"List\", \"items\": [{\"kind\": \"ConfigMap\"}, " + map + "]}"))
                .isEqualTo(TfJobOperatorConfig.parse("tfImage: A:1"));
        assertThatThrownBy(
                        () -> TfJobOperatorConfig.parse("{\"kind\": \"List\", \"items\": [" + map + ", " + map + "]}"))
                .hasMessage("the list must have one ConfigMap with data.controller_config_file.yaml, has 2");
    }

    @Test
    void a_config_map_without_the_file_is_refused_by_its_name() {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("kube-root-ca.crt")
                .endMetadata()
                .addToData("ca.crt", "x")
                .build();

        assertThatThrownBy(() -> TfJobOperatorConfig.of(map))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "ConfigMap \"kube-root-ca.crt\" must have a text data.controller_config_file.yaml, has [ca.crt]");
    }
}
