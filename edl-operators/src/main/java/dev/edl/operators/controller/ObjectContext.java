package dev.edl.operators.controller;

import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.client.PreconditionedDelete;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.controller.internal.Admission;
import dev.edl.operators.controller.internal.FailureCategory;
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

/** What a controller gives to the driver of one object. Thread-safe. */
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

    /** The controller's client; not to be closed. */
    public KubernetesClient client() {
        return session.client();
    }

    /**
     * An executor of the object's job, which the caller closes: it has the controller's client and watch of nodes.
     *
     * @param digest of the job that was created for the object; empty when none was
     */
    KubernetesExecutor executor(PodOptions options, String digest) {
        return session.executor().options(options).jobDigest(digest).build();
    }

    /**
     * Admits the object's job, which {@link #release} undoes.
     *
     * @throws Admission.TooManyReplicasException when the controller drives too many replicas, and the job was not begun before
     */
    void admit(JobPlan plan) {
        int replicas =
                plan.roles().stream().mapToInt(role -> role.bounds().max()).sum();
        session.admit(key, replicas, () -> hasRecord(plan.name()));
    }

    void release() {
        session.release(key);
    }

    /** Counts what comes to nothing without an exception. */
    void countFailure(FailureCategory category) {
        session.refused(category);
    }

    /**
     * Logs and counts that the loop of the object's job was lost to an exception of its own.
     *
     * @param pause until the job is driven again
     * @throws Error when that is what the loop was lost to: this program must not go on as leader
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

    /** Whether the cluster keeps the record of a job of this name in the namespace. */
    boolean hasRecord(String job) {
        return session.client()
                        .configMaps()
                        .inNamespace(key.namespace())
                        .withName(KubernetesExecutor.recordOf(job))
                        .get()
                != null;
    }

    /** Asks for {@link ObjectDriver#reconcile} to be called soon; returns at once. */
    public void wake() {
        session.wake(key);
    }

    /** Asks for another object of the namespace and group to be reconciled soon; no effect when there is none. */
    public void wake(String kind, String name) {
        session.wake(new ObjectKey(key.beside(kind), key.namespace(), name));
    }

    /** Another object of the namespace and group, of a kind that the controller looks after, as the watch last told. */
    public Optional<CustomObject> find(String kind, String name) {
        return session.find(new ObjectKey(key.beside(kind), key.namespace(), name));
    }

    /** Whether {@link #find} and {@link #all} know all objects of a kind; not before the cluster has told them once. */
    boolean knows(String kind) {
        return session.knows(key.beside(kind), key.namespace());
    }

    /** The objects of a kind of the group that the controller looks after in the namespace, as the watch last told, in no order. */
    public List<CustomObject> all(String kind) {
        return session.all(key.beside(kind), key.namespace());
    }

    /**
     * Replaces the object's whole status, unless it is equal already.
     *
     * @param now the object as last observed
     * @throws KubernetesClientException when the cluster refuses it, or on a conflict with another write; not when the object is gone
     */
    public void status(CustomObject now, Map<String, ?> status) {
        write(now, "status", status, session.writesStatusApart(key.kind()));
    }

    /**
     * Replaces the object's whole spec, unless it is equal already.
     *
     * @param now the object as last observed
     * @throws KubernetesClientException when the cluster refuses it, or on a conflict with another write; not when the object is gone
     */
    public void spec(CustomObject now, Map<String, ?> spec) {
        write(now, "spec", spec, false);
    }

    /**
     * Sets an annotation of the object.
     *
     * @param now the object as it is known
     * @throws IllegalStateException when the annotation is no longer as it is known
     * @throws KubernetesClientException when the cluster refuses it, or the object was written at the same time; not when it is gone
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

    /** Read, changed and written, so that what a user changes meanwhile is kept, and another object of the name left alone. */
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

    /** What is given for another object of the namespace, of a kind that the controller looks after. */
    ObjectContext of(CustomObject other) {
        return new ObjectContext(session, ObjectKey.of(other), uid(other));
    }

    /** The uid of an object that is in the cluster. */
    static String uid(CustomObject object) {
        return object.fields().get("metadata") instanceof Map<?, ?> metadata ? String.valueOf(metadata.get("uid")) : "";
    }

    /** Makes the object go when another one does, unless it goes with something already. */
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

    /** Deletes the object, and with it what it owns. */
    public void delete() {
        GenericKubernetesResource there = session.resource(key).get();
        if (there != null && there.getMetadata().getUid().equals(uid)) {
            PreconditionedDelete.of(session.client(), session.plural(key), there);
        }
    }
}
