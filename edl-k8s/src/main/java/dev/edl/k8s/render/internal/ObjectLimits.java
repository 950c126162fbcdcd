package dev.edl.k8s.render.internal;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Optional;

/** Limits on the size of objects, beyond which Kubernetes rejects them. */
public final class ObjectLimits {
    /** Maximum bytes of an object: etcd's {@code --max-request-bytes}, by default 1.5 MiB. */
    static final int OBJECT_BYTES = 1_572_864;

    /** Kubernetes' maximum bytes of the data of a ConfigMap or Secret. */
    static final int DATA_BYTES = 1_048_576;

    private ObjectLimits() {}

    /** Returns by how much an object exceeds its limit, with a remedy; empty if it does not. */
    public static Optional<String> excess(HasMetadata object) {
        int bytes = ManifestYaml.bytes(object);
        boolean data = object instanceof ConfigMap || object instanceof Secret;
        int most = data ? DATA_BYTES : OBJECT_BYTES;
        if (bytes <= most) {
            return Optional.empty();
        }
        return Optional.of(object.getKind() + " " + object.getMetadata().getName() + " takes " + bytes
                + " bytes; Kubernetes takes at most " + most
                + (data
                        ? "; put the content on a volume and mount that"
                        : "; put long values into files on a volume and pass their paths, or use fewer replicas"));
    }
}
