package dev.edl.operators.controller;

import dev.edl.k8s.KubernetesExecutor;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.internal.ResourceMetadata;
import dev.edl.plan.JobPlan;
import java.util.Map;

/**
 * Annotation of a custom object that holds the digest of the job created for the object. The job's record cannot hold
 * the digest: it is a ConfigMap, and an account without write access to the object may be able to write ConfigMaps.
 */
final class CreationDigest {
    private CreationDigest() {}

    /** Returns the digest in the object's annotation; empty when the annotation is absent. */
    static String of(CustomObject object) {
        return object.fields().get("metadata") instanceof Map<?, ?> metadata
                        && metadata.get("annotations") instanceof Map<?, ?> notes
                        && notes.get(ResourceMetadata.DIGEST) instanceof String digest
                ? digest
                : "";
    }

    /**
     * Writes the digest of the job that the object now specifies, unless the object has a digest and its job's record
     * exists. So an object that was edited later keeps the digest of the job that was created for it.
     *
     * @param asked plan of the job that the object now specifies
     * @return the digest of the job that was created, or is to be created
     */
    static String noted(ObjectDriverContext context, CustomObject object, JobPlan asked) {
        String noted = of(object);
        String now = KubernetesExecutor.digestOf(asked);
        if (noted.equals(now) || (!noted.isEmpty() && context.hasRecord(object.name()))) {
            return noted;
        }
        context.annotate(object, ResourceMetadata.DIGEST, now);
        return now;
    }
}
