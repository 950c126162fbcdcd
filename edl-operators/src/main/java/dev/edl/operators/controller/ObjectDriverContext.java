package dev.edl.operators.controller;

import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.client.PreconditionedDelete;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.controller.internal.FailureCategory;
import dev.edl.operators.controller.internal.JobAdmission;
import dev.edl.operators.controller.internal.ObjectKey;
import dev.edl.operators.crd.CustomObject;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Services of a controller for the driver of one object. Thread-safe. */
public final class ObjectDriverContext {
    private static final Logger LOG = System.getLogger(Controller.class.getName());

    private final LeaderSession session;
    private final ObjectKey key;
    private final String uid;

    ObjectDriverContext(LeaderSession session, ObjectKey key, String uid) {
        this.session = session;
        this.key = key;
        this.uid = uid;
    }

    /** Returns the controller's client, which the driver must not close. */
    public KubernetesClient client() {
        return session.client();
    }

    /**
     * Returns an executor of the object's job, which the caller closes. It shares the controller's client and node
     * watch.
     *
     * @param digest digest of the job that was created for the object; empty when none was created
     */
    KubernetesExecutor executor(PodOptions options, String digest) {
        return session.executor().options(options).jobDigest(digest).build();
    }

    /**
     * Counts the object's job towards the replica limits until {@link #release} is called.
     *
     * @throws JobAdmission.TooManyReplicasException when the job would exceed a replica limit and was not started
     *     before
     */
    void admit(JobPlan plan) {
        int replicas =
                plan.roles().stream().mapToInt(role -> role.bounds().max()).sum();
        session.admit(key, replicas, () -> hasRecord(plan.name()));
    }

    void release() {
        session.release(key);
    }

    /** Adds a failed reconcile pass that threw no exception to the metrics. */
    void countFailure(FailureCategory category) {
        session.refused(category);
    }

    /**
     * Logs an exception that ended the control loop of the object's job, and adds it to the metrics. Rethrows an Error.
     *
     * @param pause delay until the controller drives the job again
     * @throws Error when an Error ended the loop, because this program must not continue as leader
     */
    void loopFailed(CustomObject object, Throwable why, Duration pause) {
        countFailure(FailureCategory.OTHER);
        if (why instanceof Error error) {
            throw error;
        }
        LOG.log(
                Level.WARNING,
                object.kind() + " " + object.namespace() + "/" + object.name()
                        + ": its loop failed, and its job is driven" + " again in " + pause.toMillis() + " ms",
                why);
    }

    /** Returns whether the object's namespace has the record, a ConfigMap, of a job with this name. */
    boolean hasRecord(String job) {
        return session.client()
                        .configMaps()
                        .inNamespace(key.namespace())
                        .withName(KubernetesExecutor.recordOf(job))
                        .get()
                != null;
    }

    /** Schedules a call of {@link ObjectDriver#reconcile} for this object; returns at once. */
    public void wake() {
        session.wake(key);
    }

    /**
     * Schedules a reconcile pass of another object in this object's namespace and API group; no effect when that object
     * does not exist.
     */
    public void wake(String kind, String name) {
        session.wake(new ObjectKey(key.beside(kind), key.namespace(), name));
    }

    /**
     * Returns another object in this object's namespace and API group from the watch; empty when the watch has none.
     *
     * @param kind a kind that this controller drives
     */
    public Optional<CustomObject> find(String kind, String name) {
        return session.find(new ObjectKey(key.beside(kind), key.namespace(), name));
    }

    /**
     * Returns whether the watches behind {@link #find} and {@link #all} have listed the objects of a kind. While false,
     * an object that they do not return may exist.
     */
    boolean knows(String kind) {
        return session.knows(key.beside(kind), key.namespace());
    }

    /**
     * Returns all objects of a kind in this object's namespace and API group from the watch, in no particular order.
     *
     * @param kind a kind that this controller drives
     */
    public List<CustomObject> all(String kind) {
        return session.all(key.beside(kind), key.namespace());
    }

    /**
     * Replaces the object's whole status if it differs from that of {@code now}. No effect when the object no longer
     * exists.
     *
     * @param now the object as last observed
     * @throws KubernetesClientException when the API server rejects the status, or another write conflicts
     */
    public void status(CustomObject now, Map<String, ?> status) {
        write(now, "status", status, session.writesStatusApart(key.kind()));
    }

    /**
     * Replaces the object's whole spec if it differs from that of {@code now}. No effect when the object no longer
     * exists.
     *
     * @param now the object as last observed
     * @throws KubernetesClientException when the API server rejects the spec, or another write conflicts
     */
    public void spec(CustomObject now, Map<String, ?> spec) {
        write(now, "spec", spec, false);
    }

    /**
     * Sets an annotation of the object. No effect when the object no longer exists.
     *
     * @param now the object as last observed
     * @throws IllegalStateException when the annotation differs from that of {@code now}
     * @throws KubernetesClientException when the API server rejects the annotation, or another write conflicts
     */
    void annotate(CustomObject now, String name, String value) {
        GenericKubernetesResource there = session.resource(key).get();
        if (there == null || !there.getMetadata().getUid().equals(uid)) {
            return;
        }
        Map<String, String> notes = new HashMap<>(
                Optional.ofNullable(there.getMetadata().getAnnotations()).orElse(Map.of()));
        Object known = now.fields().get("metadata") instanceof Map<?, ?> metadata
                        && metadata.get("annotations") instanceof Map<?, ?> annotations
                ? annotations.get(name)
                : null;
        if (!Objects.equals(known, notes.put(name, value))) {
            throw new IllegalStateException("annotation " + name + " of " + key + " has changed since it was read");
        }
        there.getMetadata().setAnnotations(notes);
        session.resources(key)
                .resource(there)
                .lockResourceVersion(there.getMetadata().getResourceVersion())
                .update();
    }

    /**
     * Replaces one part of the object. Reads the object from the API server first, so that a user's concurrent changes
     * of other parts survive. Does not change another object that has the same name.
     *
     * @param part {@code status} or {@code spec}
     * @param apart whether the part is written through the status subresource
     */
    private void write(CustomObject now, String part, Map<String, ?> wanted, boolean apart) {
        Map<String, Object> change = CustomObject.of(Map.of(part, wanted)).fields();
        if (Objects.equals(now.fields().get(part), change.get(part))) {
            return;
        }
        GenericKubernetesResource there = session.resource(key).get();
        if (there == null || !there.getMetadata().getUid().equals(uid)) {
            return;
        }
        there.setAdditionalProperty(part, change.get(part));
        var written = session.resources(key).resource(there);
        if (apart) {
            written.updateStatus();
        } else {
            written.lockResourceVersion(there.getMetadata().getResourceVersion())
                    .update();
        }
    }

    /** Returns the context of another object, which must be of a kind that this controller drives. */
    ObjectDriverContext of(CustomObject other) {
        return new ObjectDriverContext(session, ObjectKey.of(other), uid(other));
    }

    /** Returns the uid of an object in the cluster. */
    static String uid(CustomObject object) {
        return object.fields().get("metadata") instanceof Map<?, ?> metadata ? String.valueOf(metadata.get("uid")) : "";
    }

    /** Makes another object the owner of this one, unless this one already has an owner. */
    void setOwner(CustomObject owner) {
        GenericKubernetesResource there = session.resource(key).get();
        if (there == null
                || !there.getMetadata().getUid().equals(uid)
                || !there.getMetadata().getOwnerReferences().isEmpty()) {
            return;
        }
        there.getMetadata()
                .setOwnerReferences(List.of(new OwnerReferenceBuilder()
                        .withApiVersion(owner.apiVersion())
                        .withKind(owner.kind())
                        .withName(owner.name())
                        .withUid(uid(owner))
                        .withController(true)
                        .withBlockOwnerDeletion(true)
                        .build()));
        session.resources(key)
                .resource(there)
                .lockResourceVersion(there.getMetadata().getResourceVersion())
                .update();
    }

    /** Deletes the object and its dependents. */
    public void delete() {
        GenericKubernetesResource there = session.resource(key).get();
        if (there != null && there.getMetadata().getUid().equals(uid)) {
            PreconditionedDelete.of(session.client(), session.plural(key), there);
        }
    }
}
