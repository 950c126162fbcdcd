package dev.edl.k8s;

import dev.edl.exec.ControlLoop;
import dev.edl.exec.Subscription;
import dev.edl.k8s.internal.pods.PodSubstrate;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.JobState;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Job that this program drives.
 *
 * @param loop control loop of the job
 * @param substrate pods of the job
 */
record DrivenJob(ControlLoop loop, PodSubstrate substrate) implements LogFollowedJob {
    @Override
    public JobPlan plan() {
        return loop.plan();
    }

    @Override
    public JobState state() {
        return loop.state();
    }

    @Override
    public boolean over() {
        return loop.lost() || loop.finished() || loop.state().phase().ended();
    }

    @Override
    public List<Pod> pods() {
        return substrate.pods();
    }

    @Override
    public Optional<Pod> now(Pod pod) {
        return substrate.now(pod);
    }

    @Override
    public Subscription onChange(Runnable callback) {
        Subscription pods = substrate.onChange(plan().name(), callback);
        Subscription events = loop.onEvent(event -> callback.run());
        return () -> {
            pods.close();
            events.close();
        };
    }

    @Override
    public Subscription addReader(Predicate<Pod> unread) {
        return substrate.unread().add(unread);
    }

    /** Does nothing: the job's run closes its loop and its pods' watch. */
    @Override
    public void close() {}
}
