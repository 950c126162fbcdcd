package dev.edl;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A claim or host path mounted into every replica of a role. */
public final class Volume {
    private final String mountPath;
    private final @Nullable String claimName;
    private final @Nullable String hostPath;

    private Volume(String mountPath, @Nullable String claimName, @Nullable String hostPath) {
        this.mountPath = mountPath;
        this.claimName = claimName;
        this.hostPath = hostPath;
    }

    /** A PersistentVolumeClaim. */
    public static Volume claim(String claimName, String mountPath) {
        return new Volume(mountPath, claimName, null);
    }

    /** A path on the node. */
    public static Volume hostPath(String hostPath, String mountPath) {
        return new Volume(mountPath, null, hostPath);
    }

    /** Where the replica sees it. */
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
}
