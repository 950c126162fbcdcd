package dev.edl.k8s.render;

import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.Optional;

/**
 * The configuration file of the TfJob operator, as its users have it: what pods with a device get from their node, and the
 * image of default parameter servers and of TensorBoard.
 *
 * <pre>{@code
 * ControllerConfig config = ControllerConfig.parse(Files.readString(Path.of("controller_config_file.yaml")));
 * PodOptions options = PodOptions.builder().controllerConfig(config).build();
 * }</pre>
 *
 * <p>{@code grpcServerFilePath} is where the program of default parameter servers lies in the operator's own image. It is
 * read and has no effect, since EDL brings a program of the same arguments. Immutable.
 *
 * @see <a href="https://github.com/tensorflow/k8s#configuring-the-crd">tensorflow/k8s: Configuring the CRD</a>
 */
public final class ControllerConfig {
    private final AcceleratorConfig accelerators;
    private final Optional<String> tfImage;

    ControllerConfig(AcceleratorConfig accelerators, Optional<String> tfImage) {
        this.accelerators = accelerators;
        this.tfImage = tfImage;
    }

    /**
     * Reads the file, or the ConfigMap in which it is given to the operator.
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
     * <p>Names of fields may be in any case, as the operator takes them. The operator's own page has
     * {@code grpcServerFilePath} under {@code accelerators}, with which the operator ends; it is read there as well.
     *
     * @throws IllegalArgumentException with every mistake, one a line
     */
    public static ControllerConfig parse(String yaml) {
        return ControllerConfigReader.read(yaml);
    }

    /**
     * Reads the ConfigMap as the cluster has it, so that the pods are as the operator there would make them.
     *
     * <pre>{@code
     * ControllerConfig.of(client.configMaps().inNamespace("default").withName("tf-job-operator-config").get());
     * }</pre>
     *
     * @throws IllegalArgumentException with every mistake, one a line; or when it has no {@code controller_config_file.yaml}
     */
    public static ControllerConfig of(ConfigMap map) {
        return ControllerConfigReader.read(map);
    }

    /** What pods with a device get. */
    public AcceleratorConfig accelerators() {
        return accelerators;
    }

    /** The image of default parameter servers and of TensorBoard, when one is named. */
    public Optional<String> tfImage() {
        return tfImage;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ControllerConfig that
                && accelerators.equals(that.accelerators)
                && tfImage.equals(that.tfImage);
    }

    @Override
    public int hashCode() {
        return 31 * accelerators.hashCode() + tfImage.hashCode();
    }

    /** A line for each device, and before them {@code tfImage=…} when one is named. */
    @Override
    public String toString() {
        return tfImage.map(image -> "tfImage=" + image + "\n").orElse("") + accelerators;
    }
}
