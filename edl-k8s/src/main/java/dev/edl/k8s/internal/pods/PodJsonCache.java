package dev.edl.k8s.internal.pods;

import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.render.internal.KueueMetadata;
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
 * Cache of the JSON of pods that will be created. The JSON of a few pods is built while the job's record is written,
 * because their creation waits for that write. The JSON of many pods is built only at their creation, to save memory.
 * Thread-safe.
 */
final class PodJsonCache {
    private static final int FEW = 16;

    private final ClusterApi api;
    private final PodTemplates templates;
    private final OwnerReference owner;
    private final boolean grouped;
    private final Executor executor;
    /** JSON of prepared pods, by pod name. At most one pod of a name is created at a time. */
    private Map<String, CompletableFuture<String>> ready = Map.of();

    /** @param grouped whether Kueue admits pods of the job as a group */
    PodJsonCache(ClusterApi api, PodTemplates templates, OwnerReference owner, boolean grouped, Executor executor) {
        this.grouped = grouped;
        this.api = api;
        this.templates = templates;
        this.owner = owner;
        this.executor = executor;
    }

    /**
     * Builds the JSON of the pods that these actions create, unless they are many. Forgets prepared JSON that was never
     * taken.
     */
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
            // The executor is being closed; JSON of further pods is built at their creation.
        }
    }

    /** Removes and returns the prepared JSON of a replica's pod; builds it now if none was prepared. */
    String take(ReplicaPlan replica) {
        @Nullable CompletableFuture<String> prepared;
        synchronized (this) {
            prepared = ready.isEmpty() ? null : ready.remove(replica.name());
        }
        // A failed or unfinished preparation is repeated here, so that its failure is the creation's.
        return prepared != null && prepared.isDone() && !prepared.isCompletedExceptionally()
                ? prepared.join()
                : text(replica);
    }

    private String text(ReplicaPlan replica) {
        // The template belongs to this call; a builder would copy all of it.
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
        if (grouped) {
            KueueMetadata.separate(meta, owner.getUid());
        }
        PodSpec spec = template.getSpec();
        // The driver decides about relaunches, not the kubelet.
        spec.setRestartPolicy("Never");
        Container main = MainContainer.note(meta, spec, templates.container(replica.role()));
        if (main.getTerminationMessagePolicy() == null) {
            // The replica's last output is more informative than its exit code.
            main.setTerminationMessagePolicy("FallbackToLogsOnError");
        }
        Pod pod = new Pod();
        pod.setMetadata(meta);
        pod.setSpec(spec);
        return api.podText(pod);
    }
}
