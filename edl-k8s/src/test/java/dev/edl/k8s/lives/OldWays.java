package dev.edl.k8s.lives;

import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.client.PodHandler;
import dev.edl.k8s.client.PodWatch;
import dev.edl.k8s.internal.pods.MainContainer;
import dev.edl.reconcile.Reconciler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Requests of one driver, made or answered as they were while a {@link Defect} existed. */
final class OldWays implements ClusterApi {
    private static final int TRIES = 10;

    private final Defect defect;
    private final ClusterApi api;
    private final Map<String, Integer> failures = new HashMap<>();
    private final IdentityHashMap<Pod, Pod> views = new IdentityHashMap<>();
    private @Nullable String exhausted;
    private @Nullable ConfigMap mine;
    private boolean refused;

    OldWays(Defect defect, ClusterApi api) {
        this.defect = defect;
        this.api = api;
    }

    /** Returns the policies. They fail the job after too many failed requests. */
    Reconciler reconciler() {
        Reconciler standard = Reconciler.standard();
        return (plan, state, seen, now) -> {
            String why = exhausted;
            if (defect != Defect.TEN_TRIES || why == null || state.phase().ended()) {
                return standard.reconcile(plan, state, seen, now);
            }
            return standard.reconcile(plan, state.withFailed(why, now), seen, now);
        };
    }

    private <T> T counted(String request, Supplier<T> made) {
        try {
            T answer = made.get();
            failures.remove(request);
            return answer;
        } catch (KubernetesClientException e) {
            if (failures.merge(request, 1, Integer::sum) >= TRIES) {
                exhausted = "could not " + request + ", " + TRIES + " times in a row";
            }
            throw e;
        }
    }

    @Override
    public String namespace() {
        return api.namespace();
    }

    @Override
    public PodWatch watchPods(Map<String, String> labels, PodHandler handler, String what) {
        PodWatch watch = api.watchPods(
                labels,
                new PodHandler() {
                    @Override
                    public void changed(Pod pod) {
                        handler.changed(view(pod));
                    }

                    @Override
                    public void deleted(Pod pod) {
                        handler.deleted(view(pod));
                    }

                    @Override
                    public void resync() {
                        handler.resync();
                    }
                },
                what);
        return new PodWatch() {
            @Override
            public List<Pod> list() {
                return watch.list().stream().map(OldWays.this::view).toList();
            }

            @Override
            public @Nullable Pod get(String name) {
                Pod pod = watch.get(name);
                return pod == null ? null : view(pod);
            }

            @Override
            public Optional<Instant> staleSince() {
                return watch.staleSince();
            }

            @Override
            public void close() {
                watch.close();
            }
        };
    }

    /** Returns the pod with its first container marked as the replica. */
    private Pod view(Pod pod) {
        if (defect != Defect.FIRST_CONTAINER) {
            return pod;
        }
        return views.computeIfAbsent(pod, real -> {
            Pod view = Pods.copy(real);
            Map<String, String> notes = new LinkedHashMap<>(real.getMetadata().getAnnotations());
            notes.put(
                    MainContainer.ANNOTATION,
                    real.getSpec().getContainers().get(0).getName());
            view.getMetadata().setAnnotations(notes);
            return view;
        });
    }

    @Override
    public Optional<Pod> pod(String name) {
        return api.pod(name);
    }

    @Override
    public String podText(Pod pod) {
        return api.podText(pod);
    }

    @Override
    public void createPod(String text) {
        counted("create " + text, () -> {
            api.createPod(text);
            return true;
        });
    }

    @Override
    public void deletePod(String name, Optional<String> uid, OptionalLong graceSeconds) {
        counted("delete " + name, () -> {
            api.deletePod(name, defect == Defect.DELETE_BY_NAME ? Optional.empty() : uid, graceSeconds);
            return true;
        });
    }

    /** Without a refused write, the record equals this driver's last write. */
    @Override
    public boolean patchPod(String name, Map<String, Object> patch) {
        throw new UnsupportedOperationException("no pod of these tests is in a group of Kueue");
    }

    @Override
    public Optional<ConfigMap> configMap(String name) {
        ConfigMap known = mine;
        return defect == Defect.NO_FENCE && known != null && !refused ? Optional.of(known) : api.configMap(name);
    }

    @Override
    public ConfigMap createConfigMap(ConfigMap map) {
        mine = api.createConfigMap(map);
        return mine;
    }

    @Override
    public ConfigMap replaceConfigMap(ConfigMap next) {
        refused = true;
        mine = counted("keep the state", () -> api.replaceConfigMap(next));
        refused = false;
        return mine;
    }

    @Override
    public void deleteConfigMap(ConfigMap map) {
        api.deleteConfigMap(map);
    }
}
