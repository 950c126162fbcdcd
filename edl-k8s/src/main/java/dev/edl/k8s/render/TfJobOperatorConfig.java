package dev.edl.k8s.render;

import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.Optional;

/**
 * Immutable configuration of the TfJob operator, read from its file: host paths and variables of pods with a device,
 * and the image of default parameter servers and of TensorBoard.
 *
 * <pre>{@code
 * TfJobOperatorConfig config = TfJobOperatorConfig.parse(Files.readString(Path.of("controller_config_file.yaml")));
 * PodOptions options = PodOptions.builder().controllerConfig(config).build();
 * }</pre>
 *
 * <p>{@code grpcServerFilePath} is the path of the default parameter servers' program in the operator's own image. It
 * is read and has no effect, because EDL brings a program with the same arguments.
 *
 * @see <a href="https://github.com/tensorflow/k8s#configuring-the-crd">tensorflow/k8s: Configuring the CRD</a>
 */
public final class TfJobOperatorConfig {
    private final AcceleratorConfig accelerators;
    private final Optional<String> tfImage;

    TfJobOperatorConfig(AcceleratorConfig accelerators, Optional<String> tfImage) {
        this.accelerators = accelerators;
        this.tfImage = tfImage;
    }

    /**
     * Parses the file, or the ConfigMap that contains it.
     *
     * <pre>
     * grpcServerFilePath: /opt/mlkube/grpc_tensorflow_server/grpc_tensorflow_server.py
     * tfImage: tensorflow/tensorflow:1.3.0
     * accelerators:
     *   alpha.kubernetes.io/nvidia-gpu:
     *     volumes:
     *       - name: nvidia-libraries
     *         mountPath: /usr/local/nvidia/lib64
     *         hostPath: /usr/lib/nvidia
     *     envVars:
     *       - name: LD_LIBRARY_PATH
     *         value: /usr/local/nvidia/lib64
     * </pre>
     *
     * <p>Field names are case-insensitive, as in the operator. The operator's own page has {@code grpcServerFilePath}
     * under {@code accelerators}, which makes the operator exit; this parser accepts it there.
     *
     * @throws IllegalArgumentException with every mistake, one per line
     */
    public static TfJobOperatorConfig parse(String yaml) {
        return TfJobOperatorConfigReader.read(yaml);
    }

    /**
     * Reads the cluster's ConfigMap, so that EDL's pods equal the pods of that cluster's operator.
     *
     * <pre>{@code
     * TfJobOperatorConfig.of(client.configMaps().inNamespace("default").withName("tf-job-operator-config").get());
     * }</pre>
     *
     * @throws IllegalArgumentException with every mistake, one per line; or when the ConfigMap has no
     *     {@code controller_config_file.yaml}
     */
    public static TfJobOperatorConfig of(ConfigMap map) {
        return TfJobOperatorConfigReader.read(map);
    }

    /** Returns the host paths and variables of pods with a device. */
    public AcceleratorConfig accelerators() {
        return accelerators;
    }

    /** Returns the image of default parameter servers and of TensorBoard, if the file sets one. */
    public Optional<String> tfImage() {
        return tfImage;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TfJobOperatorConfig that
                && accelerators.equals(that.accelerators)
                && tfImage.equals(that.tfImage);
    }

    @Override
    public int hashCode() {
        return 31 * accelerators.hashCode() + tfImage.hashCode();
    }

    /** Returns one line per device, after {@code tfImage=…} if an image is set. */
    @Override
    public String toString() {
        return tfImage.map(image -> "tfImage=" + image + "\n").orElse("") + accelerators;
    }
}
