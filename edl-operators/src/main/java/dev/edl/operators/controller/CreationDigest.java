package dev.edl.operators.controller;

import dev.edl.k8s.KubernetesExecutor;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.internal.ResourceMetadata;
import dev.edl.plan.JobPlan;
import java.util.Map;

/**
 * Annotation of a custom object with the digest of the job created for it. The record cannot hold the digest: it is a
 * ConfigMap, which an account without write access to the object may be able to write.
 */
final class CreationDigest {
    private CreationDigest() {}

    /** Returns the digest in the object; empty when there is none. */
    static String of(CustomObject object) {
        return object.fields().get("metadata") instanceof Map<?, ?> metadata
                        && metadata.get("annotations") instanceof Map<?, ?> notes
                        && notes.get(ResourceMetadata.DIGEST) instanceof String digest
                ? digest
                : "";
    }

    /**
     * Writes the digest of the job that the object specifies, unless a job was created for it before. An object that
     * was edited since keeps the job that was created for it.
     *
     * @return the digest of the job that was created, or is to be created
     */
    static String noted(ObjectContext context, CustomObject object, JobPlan asked) {
        String noted = of(object);
        String now = KubernetesExecutor.digestOf(asked);
        if (noted.equals(now) || (!noted.isEmpty() && context.hasRecord(object.name()))) {
            return noted;
        }
        context.annotate(object, ResourceMetadata.DIGEST, now);
        return now;
    }
}
