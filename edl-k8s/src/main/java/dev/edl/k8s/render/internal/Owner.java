package dev.edl.k8s.render.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Owner of a job's objects, which the cluster deletes after their owner is deleted.
 *
 * @param namespace namespace of the owner; empty for a cluster-scoped owner
 */
public record Owner(OwnerReference reference, Optional<String> namespace) {
    public static Owner of(HasMetadata owner) {
        ObjectMeta metadata = owner.getMetadata() == null ? new ObjectMeta() : owner.getMetadata();
        if (isMissing(owner.getApiVersion())
                || isMissing(owner.getKind())
                || isMissing(metadata.getName())
                || isMissing(metadata.getUid())) {
            throw new IllegalArgumentException("an owner must have apiVersion, kind, name and uid, was "
                    + owner.getApiVersion() + " " + owner.getKind() + " " + metadata.getName() + " with uid "
                    + metadata.getUid() + "; pass the object as read from the cluster");
        }
        return new Owner(
                new OwnerReferenceBuilder()
                        .withApiVersion(owner.getApiVersion())
                        .withKind(owner.getKind())
                        .withName(metadata.getName())
                        .withUid(metadata.getUid())
                        .withController(true)
                        .withBlockOwnerDeletion(true)
                        .build(),
                Optional.ofNullable(metadata.getNamespace()));
    }

    /**
     * Sets the owner of a namespaced object. A cluster-scoped object gets none: the garbage collector would treat a
     * namespaced owner as deleted.
     */
    public void own(HasMetadata object) {
        if (!(object instanceof PriorityClass)) {
            object.getMetadata().setOwnerReferences(List.of(new OwnerReferenceBuilder(reference).build()));
        }
    }

    private static boolean isMissing(@Nullable String text) {
        return text == null || text.isEmpty();
    }
}
