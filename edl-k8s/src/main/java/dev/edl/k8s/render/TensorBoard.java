package dev.edl.k8s.render;

import dev.edl.k8s.render.internal.OptionSyntax;
import dev.edl.k8s.render.internal.RoleMounts;
import dev.edl.plan.JobPlan;
import dev.edl.spec.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Immutable description of a job's TensorBoard: a Deployment, and a Service from port 80 to TensorBoard's 6006.
 *
 * <pre>{@code
 * TensorBoard.of("/logs/mnist").image("tensorflow/tensorflow:2.15.0").volume(Volume.claim("logs", "/logs").readOnly(true));
 * }</pre>
 *
 * <p>TensorBoard stays after the end of the job, until its objects are deleted. The options for all pods of the job set
 * its node selector, tolerations, affinity, image settings and security. It has only the volumes that are added here.
 */
public final class TensorBoard {
    /** Port of TensorBoard's Service. */
    public static final int SERVICE_PORT = 80;

    private static final Set<String> TYPES = Set.of("ClusterIP", "NodePort", "LoadBalancer");

    private final String logDir;
    private final Optional<String> image;
    private final List<Volume> volumes;
    private final List<PodSettings.MountedVolume> mounted;
    private final String serviceType;

    private TensorBoard(
            String logDir,
            Optional<String> image,
            List<Volume> volumes,
            List<PodSettings.MountedVolume> mounted,
            String serviceType) {
        this.logDir = logDir;
        this.image = image;
        this.volumes = List.copyOf(volumes);
        this.mounted = List.copyOf(mounted);
        this.serviceType = serviceType;
    }

    /**
     * Returns a TensorBoard that shows a log directory.
     *
     * @param logDir directory in which the job writes its event files, not blank: a path within a volume, or a URL such
     *     as {@code gs://}
     */
    public static TensorBoard of(String logDir) {
        if (OptionSyntax.given("TensorBoard's log directory", logDir).isBlank()) {
            throw new IllegalArgumentException(
                    "TensorBoard's log directory must not be blank, was \"" + logDir + "\"; for example /logs/mnist");
        }
        return new TensorBoard(logDir, Optional.empty(), List.of(), List.of(), "ClusterIP");
    }

    /** Sets an image with {@code tensorboard} on its path. */
    public TensorBoard image(String image) {
        if (!OptionSyntax.given("TensorBoard's image", image).matches("\\S+")) {
            throw new IllegalArgumentException("TensorBoard's image must not be empty and have no spaces, was \""
                    + image + "\"; for example tensorflow/tensorflow:2.15.0");
        }
        return new TensorBoard(logDir, Optional.of(image), volumes, mounted, serviceType);
    }

    /** Adds a volume. */
    public TensorBoard volume(Volume volume) {
        List<Volume> more = new ArrayList<>(volumes);
        more.add(volume);
        return new TensorBoard(logDir, image, more, mounted, serviceType);
    }

    /**
     * Adds a volume of any kind.
     *
     * @param volume volume with a name; it is copied
     * @param mountPath absolute path in the container
     */
    public TensorBoard volume(io.fabric8.kubernetes.api.model.Volume volume, String mountPath) {
        String path = OptionSyntax.path("a mount path", mountPath, "/logs");
        List<PodSettings.MountedVolume> more = new ArrayList<>(mounted);
        more.add(new PodSettings.MountedVolume(
                new VolumeBuilder(volume).build(),
                new VolumeMountBuilder()
                        .withName(volume.getName())
                        .withMountPath(path)
                        .build()));
        return new TensorBoard(logDir, image, volumes, more, serviceType);
    }

    /** Sets the Service's type: {@code ClusterIP} (the default), {@code NodePort} or {@code LoadBalancer}. */
    public TensorBoard serviceType(String type) {
        if (!TYPES.contains(type)) {
            throw new IllegalArgumentException(
                    "TensorBoard's service type must be ClusterIP, NodePort or LoadBalancer, was \"" + type + "\"");
        }
        return new TensorBoard(logDir, image, volumes, mounted, type);
    }

    /** Returns the log directory. */
    public String logDir() {
        return logDir;
    }

    /** Returns the image, if set. */
    public Optional<String> image() {
        return image;
    }

    List<Volume> volumes() {
        return volumes;
    }

    /** Returns the volumes of TensorBoard's pod. */
    public List<io.fabric8.kubernetes.api.model.Volume> podVolumes() {
        return mounts().volumes();
    }

    /** Returns the mounts of TensorBoard's container. */
    public List<VolumeMount> podMounts() {
        return mounts().mounts();
    }

    private RoleMounts mounts() {
        RoleMounts mounts = new RoleMounts(volumes);
        mounted.forEach(volume -> mounts.add(volume.volume(), volume.mount()));
        return mounts;
    }

    List<PodSettings.MountedVolume> mounted() {
        return mounted;
    }

    /** Returns the Service's type. */
    public String serviceType() {
        return serviceType;
    }

    /**
     * Returns the name of TensorBoard's Service, such as {@code tensorboard-mnist}; it depends on the plan's profile.
     */
    public String serviceName(JobPlan plan) {
        return PodOptions.none().renderer(plan).boardName();
    }

    /** Returns, for example, {@code TensorBoard of /logs/mnist (ClusterIP)}. */
    @Override
    public String toString() {
        return "TensorBoard of " + logDir + " (" + serviceType + ")";
    }
}
