package dev.edl.k8s.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.RoleType;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Decision;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.Observed;
import dev.edl.reconcile.Reconciler;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaPhase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
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

    @Test
    void a_text_that_would_fill_the_memory_is_refused() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            byte[] blanks = new byte[1 << 20];
            Arrays.fill(blanks, (byte) ' ');
            for (int mebibytes = 0; mebibytes < 700; mebibytes++) {
                packed.write(blanks);
            }
        }
        String bomb = Base64.getEncoder().encodeToString(bytes.toByteArray());
        assertThat(bomb.length()).isLessThan(1_048_576);

        assertThatThrownBy(() -> StatePacker.unpack(bomb))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the state of a job must have at most 33554432 bytes when it is unpacked, and this one has"
                        + " more; EDL wrote no such state");
    }

    @Test
    void a_damaged_state_is_refused_and_breaks_nothing() {
        long seed = 20261123;
        Random random = new Random(seed);
        byte[] whole = Base64.getDecoder().decode(new StatePacker().pack(running()));
        int refused = 0;
        for (int life = 0; life < 2000; life++) {
            byte[] bytes = Arrays.copyOf(whole, random.nextInt(4) == 0 ? random.nextInt(whole.length) : whole.length);
            for (int change = 0; change < 1 + random.nextInt(3) && bytes.length > 0; change++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            try {
                StatePacker.unpack(Base64.getEncoder().encodeToString(bytes));
            } catch (IllegalArgumentException e) {
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("life " + life + ", seed " + seed, e);
            }
        }
        // A change of a byte that holds a time of the file, or of nothing, is none of the state.
        assertThat(refused).as("seed %s", seed).isGreaterThan(1900);
    }
}
