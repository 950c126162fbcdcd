package dev.edl.k8s;

import dev.edl.exec.Subscription;
import dev.edl.k8s.client.ClusterApi;
import dev.edl.k8s.client.PodHandler;
import dev.edl.k8s.client.PodWatch;
import dev.edl.k8s.internal.pods.OwnedPods;
import dev.edl.k8s.internal.record.StoredJob;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * Job that this program watches and that any program may drive. Each check for its end reads its record again.
 */
final class WatchedJob implements LogFollowedJob, PodHandler {
    private final ClusterApi api;
    private final JobPlan plan;
    private final String record;
    private final String uid;
    private final List<Runnable> callbacks = new CopyOnWriteArrayList<>();
    private final PodWatch watch;
    private volatile JobState state;

    /** Watches the pods of a job until this object is closed. */
    WatchedJob(ClusterApi api, StoredJob job) {
        this.api = api;
        this.plan = job.plan();
        this.state = job.state();
        this.record = job.map().getMetadata().getName();
        this.uid = job.map().getMetadata().getUid();
        this.watch = api.watchPods(plan.selector(), this, "the pods of job \"" + plan.name() + "\"");
    }

    @Override
    public JobPlan plan() {
        return plan;
    }

    @Override
    public JobState state() {
        return state;
    }

    /** Reads the record again. If the API server does not answer, the last read counts. */
    @Override
    public boolean over() {
        try {
            Optional<ConfigMap> found = api.configMap(record)
                    .filter(map -> map.getMetadata().getUid().equals(uid));
            found.ifPresent(map -> state = new StoredJob(map).state());
            return found.isEmpty() || state.phase().ended();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN || e.getCode() == HttpURLConnection.HTTP_UNAUTHORIZED) {
                throw e;
            }
            return state.phase().ended();
        }
    }

    @Override
    public List<Pod> pods() {
        return OwnedPods.of(uid, watch.list()).pods();
    }

    @Override
    public Optional<Pod> now(Pod pod) {
        return OwnedPods.of(uid, watch.list()).now(pod);
    }

    @Override
    public Subscription onChange(Runnable callback) {
        callbacks.add(callback);
        return () -> callbacks.remove(callback);
    }

    /** Does nothing: the job's driver does not wait for readers of other programs. */
    @Override
    public Subscription addReader(Predicate<Pod> unread) {
        return () -> {};
    }

    @Override
    public void changed(Pod pod) {
        resync();
    }

    @Override
    public void deleted(Pod pod) {
        resync();
    }

    @Override
    public void resync() {
        callbacks.forEach(Runnable::run);
    }

    @Override
    public void close() {
        watch.close();
    }
}
