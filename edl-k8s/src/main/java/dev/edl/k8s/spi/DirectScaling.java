package dev.edl.k8s.spi;

import dev.edl.exec.ControlLoop;
import java.time.Duration;
import java.util.Optional;

/** Scaling that creates and deletes replicas immediately. */
record DirectScaling(ControlLoop loop) implements WorkerScaling {
    @Override
    public void scale(String role, int replicas, Optional<Duration> limit) {
        if (limit.isPresent()) {
            throw new IllegalArgumentException("job \"" + loop.plan().name() + "\": " + role
                    + " scales directly and takes no limit, was " + limit.get() + "; leave it out, for example scale(\""
                    + role
                    + "\", " + replicas + ")");
        }
        loop.scale(role, replicas);
    }

    @Override
    public boolean direct() {
        return true;
    }

    @Override
    public void close() {}
}
