package dev.edl.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.RoleType;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Decision;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.Observed;
import dev.edl.reconcile.ObservedReplica;
import dev.edl.reconcile.Reconciler;
import dev.edl.reconcile.ReplicaPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StatePackerTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobPlan PLAN = Job.named("mnist")
            .image("edl.local/mnist:1")
            .command("train")
            .master()
            .ps(2)
            .workers(3000)
            .build()
            .plan();

    private static JobState running() {
        JobState first = Reconciler.standard()
                .reconcile(PLAN, JobState.initial(PLAN), Observed.nothing(), NOW)
                .next();
        List<ObservedReplica> seen = first.replicas().values().stream()
                .map(r -> ObservedReplica.of(r.name(), r.role(), r.id(), ReplicaPhase.RUNNING))
                .toList();
        return Reconciler.standard()
                .reconcile(PLAN, first, new Observed(seen), NOW.plusSeconds(1))
                .next();
    }

    @Test
    void every_state_of_a_row_reads_back_as_it_was() {
        long seed = 20261122;
        Random random = new Random(seed);
        StatePacker packer = new StatePacker();
        JobState state = running();
        for (int pass = 0; pass < 20; pass++) {
            List<ObservedReplica> seen = new ArrayList<>();
            state.replicas().values().forEach(r -> {
                ObservedReplica replica = ObservedReplica.of(r.name(), r.role(), r.id(), ReplicaPhase.RUNNING);
                if (random.nextInt(500) != 0 || r.role() != RoleType.WORKER) {
                    seen.add(random.nextInt(500) == 0 ? replica.leaving() : replica);
                }
            });
            Decision decision =
                    Reconciler.standard().reconcile(PLAN, state, new Observed(seen), NOW.plusSeconds(2L + pass));
            state = decision.next();
            assertThat(StatePacker.unpack(packer.pack(state)))
                    .as("pass %s, seed %s", pass, seed)
                    .isEqualTo(state);
        }
    }

    @Test
    void the_text_does_not_depend_on_what_was_packed_before() {
        StatePacker packer = new StatePacker();
        JobState state = running();
        packer.pack(JobState.initial(PLAN));
        packer.pack(state);
        assertThat(packer.pack(state)).isEqualTo(new StatePacker().pack(state));
    }

    @Test
    void a_change_of_one_replica_is_packed_with_few_others() {
        List<List<String>> groups = StatePacker.groups(running().jsonParts());

        assertThat(groups).hasSizeBetween(30, 90);
        assertThat(groups).allSatisfy(group -> assertThat(group).hasSizeLessThan(500));
    }

    @Test
    void what_is_no_state_is_refused() {
        assertThatThrownBy(() -> StatePacker.unpack("bm90aGluZw=="))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the state of a job must be base64 of gzip of JSON");
    }
}
