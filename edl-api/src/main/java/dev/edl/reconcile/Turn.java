package dev.edl.reconcile;

import dev.edl.plan.JobPlan;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

final class Turn {
    private final JobState state;

    Turn(JobPlan plan, JobState state, Observed seen, Instant now) {
        this.state = state;
    }

    Decision decision() {
        return new Decision(List.of(), state, List.of(), Optional.empty());
    }
}
