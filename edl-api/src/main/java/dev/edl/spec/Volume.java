package dev.edl.spec;

import dev.edl.internal.text.VolumeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * PersistentVolumeClaim, host path or image that is mounted into every replica of a role.
 *
 * <pre>{@code
 * Volume.claim("fileserver-claim", "/data").subPath("mnist").readOnly(true);
 * Volume.hostPath("/mnt/disk1", "/cache").type("DirectoryOrCreate");
 * Volume.image("registry.example/acme/mnist-jars@sha256:1f0e…", "/app");
 * Volume.parse("mount_path=/data,claim_name=fileserver-claim;mount_path=/cache,host_path=/mnt/disk1");
 * }</pre>
 *
 * <p>Immutable; safe for use by several threads.
 */
public final class Volume {
    private final String mountPath;
    private final @Nullable String claimName;
    private final @Nullable String hostPath;
    private final @Nullable String image;
    private final @Nullable String type;
    private final @Nullable String subPath;
    private final boolean readOnly;

    private Volume(
            String mountPath,
            @Nullable String claimName,
            @Nullable String hostPath,
            @Nullable String image,
            @Nullable String type,
            @Nullable String subPath,
            boolean readOnly) {
        this.mountPath = mountPath;
        this.claimName = claimName;
        this.hostPath = hostPath;
        this.image = image;
        this.type = type;
        this.subPath = subPath;
        this.readOnly = readOnly;
    }

    /**
     * Returns a PersistentVolumeClaim, mounted read-write.
     *
     * @param claimName name of the claim, a DNS subdomain
     * @param mountPath absolute path within the replica
     * @throws IllegalArgumentException for a malformed name or path
     */
    public static Volume claim(String claimName, String mountPath) {
        return of(new VolumeText().put("claim_name", claimName).put("mount_path", mountPath));
    }

    /**
     * Returns a path on the node, mounted read-write.
     *
     * @param hostPath absolute path on the node
     * @param mountPath absolute path within the replica
     * @throws IllegalArgumentException for a malformed path
     */
    public static Volume hostPath(String hostPath, String mountPath) {
        return of(new VolumeText().put("host_path", hostPath).put("mount_path", mountPath));
    }

    /**
     * Returns the files of a container image, mounted read-only. It needs Kubernetes 1.36 or newer, and a container
     * runtime with image volumes.
     *
     * @param image name of the image; with a digest, all replicas have the same files
     * @param mountPath absolute path within the replica
     * @throws IllegalArgumentException for a malformed name or path
     */
    public static Volume image(String image, String mountPath) {
        return of(new VolumeText().put("image", image).put("mount_path", mountPath));
    }

    /**
     * Parses ElasticDL's grammar: volumes separated by semicolons, each a comma-separated list of fields.
     *
     * <p>A volume has {@code mount_path} and one of {@code claim_name}, {@code host_path} and {@code image}; the last is
     * EDL's own. Optional fields are {@code sub_path}, {@code type} (host paths only) and {@code read_only}.
     *
     * @return at least one volume, in the order of the text
     * @throws IllegalArgumentException with every mistake, separated by semicolons
     */
    public static List<Volume> parse(String text) {
        List<String> problems = new ArrayList<>();
        List<Volume> volumes = parse(text, problems::add);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return volumes;
    }

    /**
     * Parses the grammar of {@link #parse(String)}; returns the valid volumes and passes each mistake to
     * {@code problems}.
     */
    public static List<Volume> parse(String text, Consumer<String> problems) {
        return VolumeText.volumes(text, problems).stream().map(Volume::checked).toList();
    }

    private static Volume of(VolumeText text) {
        List<String> problems = new ArrayList<>();
        return text.volume(problems::add)
                .map(Volume::checked)
                .orElseThrow(() -> new IllegalArgumentException(String.join("; ", problems)));
    }

    /**
     * Returns a volume from the fields of ElasticDL's grammar, such as {@code mount_path}; empty if one is wrong.
     *
     * @param problems receives each mistake
     */
    public static Optional<Volume> of(Map<String, String> fields, Consumer<String> problems) {
        VolumeText text = new VolumeText();
        fields.forEach(text::put);
        return text.volume(problems).map(Volume::checked);
    }

    private static Volume checked(VolumeText text) {
        return new Volume(
                Objects.requireNonNull(text.get("mount_path")),
                text.get("claim_name"),
                text.get("host_path"),
                text.get("image"),
                text.get("type"),
                text.get("sub_path"),
                "true".equals(text.get("read_only")) || text.get("image") != null);
    }

    /**
     * Returns a copy of this volume that mounts only one path within it.
     *
     * @param subPath path relative to the volume's root, without {@code ..}
     * @throws IllegalArgumentException if the path is blank, absolute, or contains {@code ..}
     */
    public Volume subPath(String subPath) {
        return of(text().put("sub_path", subPath));
    }

    /**
     * Returns a copy of this host-path volume with a type. Before Kubernetes mounts the path, it checks that the path
     * has this type, or creates a missing one for {@code DirectoryOrCreate} and {@code FileOrCreate}.
     *
     * @param type one of Kubernetes' types: DirectoryOrCreate, Directory, FileOrCreate, File, Socket, CharDevice,
     *     BlockDevice
     * @throws IllegalArgumentException for another type, or if this volume is a claim or an image
     */
    public Volume type(String type) {
        return of(text().put("type", type));
    }

    /**
     * Returns a copy of this volume that is mounted read-only, or read-write for {@code false}.
     *
     * @throws IllegalArgumentException for {@code false} if this volume is an image
     */
    public Volume readOnly(boolean readOnly) {
        return of(text().put("read_only", Boolean.toString(readOnly)));
    }

    /** Returns the absolute path within the replica, without a trailing slash. */
    public String mountPath() {
        return mountPath;
    }

    /** Returns the name of the PersistentVolumeClaim; empty for a host path or an image. */
    public Optional<String> claimName() {
        return Optional.ofNullable(claimName);
    }

    /** Returns the path on the node; empty for a claim or an image. */
    public Optional<String> hostPath() {
        return Optional.ofNullable(hostPath);
    }

    /** Returns the name of the mounted image; empty for a claim or a host path. */
    public Optional<String> image() {
        return Optional.ofNullable(image);
    }

    /** Returns the type that Kubernetes requires of the host path; empty if Kubernetes does not check it. */
    public Optional<String> type() {
        return Optional.ofNullable(type);
    }

    /** Returns the mounted path, relative to the volume's root; empty if the whole volume is mounted. */
    public Optional<String> subPath() {
        return Optional.ofNullable(subPath);
    }

    /** Returns whether the mount is read-only; by default false. */
    public boolean readOnly() {
        return readOnly;
    }

    private VolumeText text() {
        return new VolumeText()
                .put("mount_path", mountPath)
                .put("claim_name", claimName)
                .put("host_path", hostPath)
                .put("image", image)
                .put("type", type)
                .put("sub_path", subPath)
                .put("read_only", readOnly ? "true" : null);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Volume that
                && text().fields().equals(that.text().fields());
    }

    @Override
    public int hashCode() {
        return text().fields().hashCode();
    }

    /** Returns the text that {@link #parse} reads: {@code mount_path=/data,claim_name=fileserver-claim}. */
    @Override
    public String toString() {
        return text().toString();
    }
}
