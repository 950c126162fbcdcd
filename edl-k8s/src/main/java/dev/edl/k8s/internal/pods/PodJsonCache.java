package dev.edl.k8s.internal.pods;

import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.ReplicaPlan;
import dev.edl.reconcile.Action;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a job's replicas as the JSON that creates them. Those of a few are made ready beside the write of the record that
 * they wait for; of many, each is made when it is created, as they would fill the memory. Thread-safe.
 */
final class PodJsonCache {
    private static final int FEW = 16;

    private final ClusterApi api;
    private final PodTemplates templates;
    private final OwnerReference owner;
    private final Executor executor;
    /** By name: of one name there is one pod to be created at a time. */
    private Map<String, CompletableFuture<String>> ready = Map.of();

    PodJsonCache(ClusterApi api, PodTemplates templates, OwnerReference owner, Executor executor) {
        this.api = api;
        this.templates = templates;
        this.owner = owner;
        this.executor = executor;
    }

    /** Makes the pods that are to be created ready, and forgets those that were and were never taken. */
    void prepare(List<Action> actions) {
        Map<String, CompletableFuture<String>> next = new HashMap<>();
        if (actions.size() <= FEW) {
            for (Action action : actions) {
                if (action instanceof Action.CreateReplica create) {
                    begin(create.replica(), next);
                }
            }
        }
        synchronized (this) {
            ready = next;
        }
    }

    private void begin(ReplicaPlan replica, Map<String, CompletableFuture<String>> into) {
        try {
            into.put(replica.name(), CompletableFuture.supplyAsync(() -> text(replica), executor));
        } catch (RejectedExecutionException e) {
            // The executor is being closed; what is still created is made then.
        }
    }

    /** The pod of a replica, which was made ready or is made now. */
    String take(ReplicaPlan replica) {
        @Nullable CompletableFuture<String> prepared;
        synchronized (this) {
            prepared = ready.isEmpty() ? null : ready.remove(replica.name());
        }
        // One that failed, or whose turn has not come, is made here: its failure is the creation's.
        return prepared != null && prepared.isDone() && !prepared.isCompletedExceptionally()
                ? prepared.join()
                : text(replica);
    }

    private String text(ReplicaPlan replica) {
        // The template is this call's own; a builder would copy all of it.
        PodTemplateSpec template = templates.get(replica.role(), replica.id(), replica.index());
        ObjectMeta meta = template.getMetadata();
        meta.setName(replica.name());
        meta.setNamespace(api.namespace());
        Map<String, String> notes = new LinkedHashMap<>(meta.getAnnotations());
        notes.put(PodMapper.ROLE, replica.role().id());
        notes.put(PodMapper.ID, Integer.toString(replica.id()));
        meta.setAnnotations(notes);
        List<OwnerReference> owners = new ArrayList<>(meta.getOwnerReferences());
        owners.add(owner);
        meta.setOwnerReferences(owners);
        PodSpec spec = template.getSpec();
        // The driver decides which replicas are relaunched and how often, not the kubelet.
        spec.setRestartPolicy("Never");
        Container main = MainContainer.note(meta, spec, templates.container(replica.role()));
        if (main.getTerminationMessagePolicy() == null) {
            // What a replica said last tells more than its exit code.
            main.setTerminationMessagePolicy("FallbackToLogsOnError");
        }
        Pod pod = new Pod();
        pod.setMetadata(meta);
        pod.setSpec(spec);
        return api.podText(pod);
    }
}
