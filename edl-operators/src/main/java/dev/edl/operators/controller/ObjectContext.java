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
public final class ObjectContext {
    private static final Logger LOG = System.getLogger(Controller.class.getName());

    private final LeaderSession session;
    private final ObjectKey key;
    private final String uid;

    ObjectContext(LeaderSession session, ObjectKey key, String uid) {
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
     * @param digest of the job that was created for the object; empty when none was
     */
    KubernetesExecutor executor(PodOptions options, String digest) {
        return session.executor().options(options).jobDigest(digest).build();
    }

    /**
     * Admits the object's job, which {@link #release} undoes.
     *
     * @throws JobAdmission.TooManyReplicasException when the controller drives too many replicas and the job was not
     *     started before
     */
    void admit(JobPlan plan) {
        int replicas =
                plan.roles().stream().mapToInt(role -> role.bounds().max()).sum();
        session.admit(key, replicas, () -> hasRecord(plan.name()));
    }

    void release() {
        session.release(key);
    }

    /** Counts a failed pass that threw no exception. */
    void countFailure(FailureCategory category) {
        session.refused(category);
    }

    /**
     * Logs and counts an exception that ended the loop of the object's job.
     *
     * @param pause until the job is driven again
     * @throws Error if that ended the loop: this program must not continue as leader
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

    /** Whether the namespace has the record of a job of this name. */
    boolean hasRecord(String job) {
        return session.client()
                        .configMaps()
                        .inNamespace(key.namespace())
                        .withName(KubernetesExecutor.recordOf(job))
                        .get()
                != null;
    }

    /** Schedules a call of {@link ObjectDriver#reconcile}; returns at once. */
    public void wake() {
        session.wake(key);
    }

    /** Schedules a reconcile of another object of the namespace and group; no effect when there is none. */
    public void wake(String kind, String name) {
        session.wake(new ObjectKey(key.beside(kind), key.namespace(), name));
    }

    /** Returns another object of the namespace and group, of a kind of this controller, from the watch. */
    public Optional<CustomObject> find(String kind, String name) {
        return session.find(new ObjectKey(key.beside(kind), key.namespace(), name));
    }

    /** Whether the watches behind {@link #find} and {@link #all} have listed the objects of a kind. */
    boolean knows(String kind) {
        return session.knows(key.beside(kind), key.namespace());
    }

    /**
     * Returns the objects of a kind of this controller, in the same namespace and group, from the watch and in no
     * order.
     */
    public List<CustomObject> all(String kind) {
        return session.all(key.beside(kind), key.namespace());
    }

    /**
     * Replaces the object's whole status if it differs. No effect when the object no longer exists.
     *
     * @param now the object as last observed
     * @throws KubernetesClientException when the API server rejects it, or on a conflict with another write
     */
    public void status(CustomObject now, Map<String, ?> status) {
        write(now, "status", status, session.writesStatusApart(key.kind()));
    }

    /**
     * Replaces the object's whole spec if it differs. No effect when the object no longer exists.
     *
     * @param now the object as last observed
     * @throws KubernetesClientException when the API server rejects it, or on a conflict with another write
     */
    public void spec(CustomObject now, Map<String, ?> spec) {
        write(now, "spec", spec, false);
    }

    /**
     * Sets an annotation of the object. No effect when the object no longer exists.
     *
     * @param now the object as last observed
     * @throws IllegalStateException when the annotation has changed since
     * @throws KubernetesClientException when the API server rejects it, or on a conflict with another write
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
     * Reads, changes and writes the object, so that concurrent changes of a user survive. Leaves another object of the
     * same name unchanged.
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

    /** Returns the context of another object of the namespace, of a kind of this controller. */
    ObjectContext of(CustomObject other) {
        return new ObjectContext(session, ObjectKey.of(other), uid(other));
    }

    /** Returns the uid of an object in the cluster. */
    static String uid(CustomObject object) {
        return object.fields().get("metadata") instanceof Map<?, ?> metadata ? String.valueOf(metadata.get("uid")) : "";
    }

    /** Sets an owner of the object, unless it has one. */
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
