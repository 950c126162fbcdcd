package dev.edl.k8s.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.reconcile.Decision;
import dev.edl.reconcile.JobObservation;
import dev.edl.reconcile.JobState;
import dev.edl.reconcile.Reconciler;
import dev.edl.reconcile.ReplicaState;
import dev.edl.reconcile.ReplicaStates;
import dev.edl.spec.RoleType;
import dev.edl.status.ObservedPhase;
import dev.edl.status.ObservedReplica;
import dev.edl.status.ReplicaStage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
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
                .reconcile(PLAN, JobState.initial(PLAN), JobObservation.nothing(), NOW)
                .next();
        List<ObservedReplica> seen = first.replicas().values().stream()
                .map(r -> ObservedReplica.of(r.name(), r.role(), r.id(), ObservedPhase.RUNNING))
                .toList();
        return Reconciler.standard()
                .reconcile(PLAN, first, new JobObservation(seen), NOW.plusSeconds(1))
                .next();
    }

    @Test
    void successive_states_read_back_equal() {
        long seed = 20261122;
        Random random = new Random(seed);
        StatePacker packer = new StatePacker();
        JobState state = running();
        for (int pass = 0; pass < 20; pass++) {
            List<ObservedReplica> seen = new ArrayList<>();
            state.replicas().values().forEach(r -> {
                ObservedReplica replica = ObservedReplica.of(r.name(), r.role(), r.id(), ObservedPhase.RUNNING);
                if (random.nextInt(500) != 0 || r.role() != RoleType.WORKER) {
                    seen.add(random.nextInt(500) == 0 ? replica.beingDeleted() : replica);
                }
            });
            Decision decision =
                    Reconciler.standard().reconcile(PLAN, state, new JobObservation(seen), NOW.plusSeconds(2L + pass));
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
        List<String> parts = running().jsonParts();
        List<List<String>> groups = StatePacker.groups(parts.subList(1, parts.size() - 1));

        assertThat(groups).hasSizeBetween(5, 30);
        assertThat(groups).allSatisfy(group -> assertThat(group).hasSizeLessThan(2000));
        assertThat(groups.stream().mapToInt(List::size).sum()).isEqualTo(3003);
    }

    /** Returns replicas that set each field at least once, with its extreme values if it has some. */
    @Test
    void a_state_with_every_field_reads_back_equal() {
        ReplicaState least = ReplicaState.builder()
                .name("no-number")
                .role(RoleType.PS)
                .id(Integer.MAX_VALUE)
                .index(0)
                .stage(ReplicaStage.PENDING)
                .createdAt(Instant.MIN)
                .build();
        ReplicaState most = ReplicaState.builder()
                .name("mnist-worker-7")
                .role(RoleType.WORKER)
                .id(7)
                .index(Integer.MAX_VALUE)
                .stage(ReplicaStage.FAILED)
                .relaunchesUsed(Integer.MAX_VALUE)
                .restarts(3)
                .retries(4)
                .everObserved(true)
                .uid("0f0e0d0c-0b0a-4908-8706-05040a0b0c0d")
                .createdAt(Instant.MAX)
                .endedAt(NOW.plusNanos(1))
                .backoffUntil(Instant.MIN)
                .requestedAt(Instant.MAX)
                .drainNotice("node-1 is about to go")
                .drainedAt(Instant.EPOCH)
                .exitCode(OptionalInt.of(Integer.MIN_VALUE))
                .blockedSince(NOW)
                .reason("")
                .message("ein Fehler: \u00e4\u20ac\ud83d\ude00 \n \" \\ end")
                .build();
        ReplicaState other = ReplicaState.builder()
                .from(least)
                .name("mnist-worker-8")
                .uid("of another kind")
                .exitCode(OptionalInt.of(Integer.MAX_VALUE))
                .build();
        JobState state = JobState.builder()
                .from(running())
                .replicas(ReplicaStates.of(List.of(least, most, other)))
                .build();

        assertThat(StatePacker.unpack(new StatePacker().pack(state)).toJson()).isEqualTo(state.toJson());
    }

    @Test
    void the_columns_have_every_field_of_a_replica() {
        assertThat(Arrays.stream(ReplicaState.class.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers())
                                && !Modifier.isStatic(method.getModifiers())
                                && !method.isSynthetic())
                        .map(Method::getName))
                .as("a new field is a new column of ReplicaColumns, and a new format")
                .containsExactlyInAnyOrder(
                        "name",
                        "role",
                        "id",
                        "index",
                        "stage",
                        "relaunchesUsed",
                        "restarts",
                        "retries",
                        "everObserved",
                        "uid",
                        "createdAt",
                        "endedAt",
                        "backoffUntil",
                        "requestedAt",
                        "drainNotice",
                        "drainedAt",
                        "exitCode",
                        "blockedSince",
                        "reason",
                        "message",
                        "shortUid",
                        "toString");
    }

    @Test
    void columns_that_would_fill_the_memory_are_refused() throws IOException {
        ReplicaState one = running().replicas().values().iterator().next();
        PackedColumnWriter columns = new PackedColumnWriter();
        columns.number(1);
        columns.text(JobState.initial(PLAN).toJson());
        for (int group = 0; group < 50; group++) {
            ReplicaColumns.write(Collections.nCopies(ReplicaColumns.MOST, one), columns);
        }
        columns.number(0);

        assertThatThrownBy(() -> StatePacker.unpack(packed(columns)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the state of a job must have at most 200000 replicas, and this one has more; EDL wrote no such"
                                + " state");

        PackedColumnWriter group = new PackedColumnWriter();
        group.number(1);
        group.text(JobState.initial(PLAN).toJson());
        group.number(1 << 30);
        assertThatThrownBy(() -> StatePacker.unpack(packed(group)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the columns have a group of replicas 1073741824 before byte ")
                .hasMessageEndingWith("; the most is 4096");
    }

    @Test
    void a_format_of_a_newer_version_is_refused() throws IOException {
        PackedColumnWriter columns = new PackedColumnWriter();
        columns.number(2);

        assertThatThrownBy(() -> StatePacker.unpack(packed(columns)))
                .hasMessage(
                        "the state of a job must be of format 1, was 2; a newer EDL wrote it, or it is not the state"
                                + " of a job");
    }

    /** Corrupts data without invalidating a checksum. */
    @Test
    void damaged_columns_are_refused_or_yield_other_values() throws IOException {
        long seed = 20261125;
        Random random = new Random(seed);
        PackedColumnWriter columns = new PackedColumnWriter();
        columns.number(1);
        columns.text(JobState.initial(PLAN).toJson());
        ReplicaColumns.write(running().replicas().values().stream().limit(300).toList(), columns);
        columns.number(0);
        byte[] whole = columns.bytes();
        for (int life = 0; life < 5000; life++) {
            byte[] bytes = Arrays.copyOf(whole, random.nextInt(4) == 0 ? random.nextInt(whole.length) : whole.length);
            for (int change = 0; change < 1 + random.nextInt(3) && bytes.length > 0; change++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            try {
                StatePacker.unpack(packed(bytes));
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageMatching("(?s).+");
            } catch (RuntimeException e) {
                throw new AssertionError("life " + life + ", seed " + seed, e);
            }
        }
    }

    private static String packed(PackedColumnWriter columns) throws IOException {
        return packed(columns.bytes());
    }

    private static String packed(byte[] columns) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(columns);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    @Test
    void an_invalid_state_is_refused() {
        assertThatThrownBy(() -> StatePacker.unpack("bm90aGluZw=="))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the state of a job must be base64 of gzip");
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
    void a_damaged_state_is_refused() {
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
        // A changed byte of the gzip timestamp, or of an unused field, does not change the state.
        assertThat(refused).as("seed %s", seed).isGreaterThan(1900);
    }
}
