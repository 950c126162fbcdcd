package dev.edl.k8s.render.internal;

import dev.edl.k8s.render.RenderException;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;

/** Refuses objects that Kubernetes would reject for their size. */
public final class ObjectLimits {
    /** Maximum bytes of an object: etcd's {@code --max-request-bytes}, by default 1.5 MiB. */
    static final int OBJECT_BYTES = 1_572_864;

    /** Kubernetes' maximum bytes of the data of a ConfigMap or Secret. */
    static final int DATA_BYTES = 1_048_576;

    private ObjectLimits() {}

    public static void check(JobPlan plan, HasMetadata object) {
        int bytes = ManifestYaml.bytes(object);
        boolean data = object instanceof ConfigMap || object instanceof Secret;
        int most = data ? DATA_BYTES : OBJECT_BYTES;
        if (bytes > most) {
            throw new RenderException("job \"" + plan.name() + "\": " + object.getKind() + " "
                    + object.getMetadata().getName() + " takes " + bytes + " bytes; Kubernetes takes at most " + most
                    + (data
                            ? "; put the content on a volume and mount that"
                            : "; put long values into files on a volume and pass their paths, or use fewer replicas"));
        }
    }
}
