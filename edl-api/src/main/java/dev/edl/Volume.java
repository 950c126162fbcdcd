package dev.edl;

import dev.edl.internal.text.VolumeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A claim or host path mounted into every replica of a role.
 *
 * <pre>{@code
 * Volume.claim("fileserver-claim", "/data").subPath("mnist").readOnly(true);
 * Volume.hostPath("/mnt/disk1", "/cache").type("DirectoryOrCreate");
 * Volume.parse("mount_path=/data,claim_name=fileserver-claim;mount_path=/cache,host_path=/mnt/disk1");
 * }</pre>
 *
 * <p>Immutable; safe for use by several threads.
 */
public final class Volume {
    private final String mountPath;
    private final @Nullable String claimName;
    private final @Nullable String hostPath;
    private final @Nullable String type;
    private final @Nullable String subPath;
    private final boolean readOnly;

    private Volume(
            String mountPath,
            @Nullable String claimName,
            @Nullable String hostPath,
            @Nullable String type,
            @Nullable String subPath,
            boolean readOnly) {
        this.mountPath = mountPath;
        this.claimName = claimName;
        this.hostPath = hostPath;
        this.type = type;
        this.subPath = subPath;
        this.readOnly = readOnly;
    }

    /**
     * A PersistentVolumeClaim, mounted for reading and writing.
     *
     * @param claimName a DNS subdomain
     * @param mountPath absolute, where the replica sees it
     * @throws IllegalArgumentException for a malformed name or path
     */
    public static Volume claim(String claimName, String mountPath) {
        return of(new VolumeText().put("claim_name", claimName).put("mount_path", mountPath));
    }

    /**
     * A path on the node, mounted for reading and writing.
     *
     * @param hostPath absolute
     * @param mountPath absolute, where the replica sees it
     * @throws IllegalArgumentException for a malformed path
     */
    public static Volume hostPath(String hostPath, String mountPath) {
        return of(new VolumeText().put("host_path", hostPath).put("mount_path", mountPath));
    }

    /**
     * Reads ElasticDL's grammar: volumes separated by semicolons, each a comma list of {@code mount_path} and either
     * {@code claim_name} or {@code host_path}; with {@code sub_path}, {@code type} (of a host path) and
     * {@code read_only} where needed.
     *
     * @return at least one volume, in the order given
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

    /** Reads the grammar; what is wrong goes to the problems, what is right is returned. */
    static List<Volume> parse(String text, Consumer<String> problems) {
        return VolumeText.volumes(text, problems).stream().map(Volume::checked).toList();
    }

    private static Volume of(VolumeText text) {
        List<String> problems = new ArrayList<>();
        return text.volume(problems::add)
                .map(Volume::checked)
                .orElseThrow(() -> new IllegalArgumentException(String.join("; ", problems)));
    }

    /** Of fields that have been checked. */
    static Volume checked(VolumeText text) {
        return new Volume(
                Objects.requireNonNull(text.get("mount_path")),
                text.get("claim_name"),
                text.get("host_path"),
                text.get("type"),
                text.get("sub_path"),
                "true".equals(text.get("read_only")));
    }

    /**
     * Only a part of it.
     *
     * @param subPath relative to its root, without {@code ..}
     * @throws IllegalArgumentException for another path
     */
    public Volume subPath(String subPath) {
        return of(text().put("sub_path", subPath));
    }

    /**
     * What the host path must be or becomes.
     *
     * @param type one of Kubernetes' types: DirectoryOrCreate, Directory, FileOrCreate, File, Socket, CharDevice,
     *     BlockDevice
     * @throws IllegalArgumentException for another type, or when this is a claim
     */
    public Volume type(String type) {
        return of(text().put("type", type));
    }

    /** For reading only, or for reading and writing. */
    public Volume readOnly(boolean readOnly) {
        return new Volume(mountPath, claimName, hostPath, type, subPath, readOnly);
    }

    /** Where the replica sees it: absolute, without a slash at its end. */
    public String mountPath() {
        return mountPath;
    }

    /** The PersistentVolumeClaim, when it is one. */
    public Optional<String> claimName() {
        return Optional.ofNullable(claimName);
    }

    /** The path on the node, when it is one. */
    public Optional<String> hostPath() {
        return Optional.ofNullable(hostPath);
    }

    /** What the host path must be or becomes; empty: not checked. */
    public Optional<String> type() {
        return Optional.ofNullable(type);
    }

    /** The part that is mounted; empty: all of it. */
    public Optional<String> subPath() {
        return Optional.ofNullable(subPath);
    }

    /** Whether the replica can only read it; false unless said otherwise. */
    public boolean readOnly() {
        return readOnly;
    }

    private VolumeText text() {
        return new VolumeText()
                .put("mount_path", mountPath)
                .put("claim_name", claimName)
                .put("host_path", hostPath)
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

    /** In the grammar of {@link #parse}: {@code mount_path=/data,claim_name=fileserver-claim}. */
    @Override
    public String toString() {
        return text().toString();
    }
}
