package dev.edl.k8s.internal.record;

import dev.edl.reconcile.ReplicaState;
import dev.edl.spec.RoleType;
import dev.edl.status.ReplicaStage;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Columns of a group of replicas, one per field, because values of one field compress better than fields of one
 * replica. A time is relative to the replica's creation, and a name omits the replica's id.
 */
final class ReplicaColumns {
    /** Maximum number of replicas of one group. */
    static final int MOST = 4096;

    private static final Pattern SHORT_UID = Pattern.compile("[0-9a-f]{8}");
    private static final int HEXADECIMAL = 16;

    /** Kind of an optional value that is absent. */
    private static final long ABSENT = 0;

    private static final long GIVEN = 1;

    /** Kind of a time that equals its base time, or of a uid that is not short and so is stored as text. */
    private static final long OTHER = 2;

    private final List<ReplicaState> rows;
    private final PackedColumnWriter out;

    private ReplicaColumns(List<ReplicaState> rows, PackedColumnWriter out) {
        this.rows = rows;
        this.out = out;
    }

    /**
     * Writes the number of replicas, then one column for each field.
     *
     * @param rows at least one replica
     */
    static void write(List<ReplicaState> rows, PackedColumnWriter out) {
        out.number(rows.size());
        new ReplicaColumns(rows, out).write();
    }

    private void write() {
        out.numbers(column(replica -> suffixed(replica) ? 1L : 0L));
        out.texts(column(replica -> suffixed(replica)
                ? replica.name().substring(0, replica.name().length() - digits(replica))
                : replica.name()));
        out.texts(column(replica -> replica.role().id()));
        int[] last = {0};
        out.numbers(column(replica -> {
            long step = (long) replica.id() - last[0];
            last[0] = replica.id();
            return step;
        }));
        given(column(replica -> replica.index() == replica.id() ? null : (long) replica.index()));
        out.texts(column(replica -> replica.stage().name()));
        numbers(ReplicaState::relaunchesUsed);
        numbers(ReplicaState::restarts);
        numbers(ReplicaState::retries);
        numbers(replica -> replica.everObserved() ? 1 : 0);
        uids();
        Instant[] before = {Instant.EPOCH};
        times(
                column(replica -> {
                    Instant base = before[0];
                    before[0] = replica.createdAt();
                    return base;
                }),
                column(ReplicaState::createdAt));
        after(ReplicaState::endedAt);
        after(ReplicaState::backoffUntil);
        after(ReplicaState::requestedAt);
        after(ReplicaState::drainedAt);
        after(ReplicaState::blockedSince);
        given(column(replica ->
                replica.exitCode().isPresent() ? (long) replica.exitCode().getAsInt() : null));
        out.texts(column(replica -> replica.drainNotice().orElse(null)));
        out.texts(column(replica -> replica.reason().orElse(null)));
        out.texts(column(replica -> replica.message().orElse(null)));
    }

    private <T extends @Nullable Object> List<T> column(Function<ReplicaState, T> field) {
        List<T> column = new ArrayList<>(rows.size());
        rows.forEach(replica -> column.add(field.apply(replica)));
        return column;
    }

    private static boolean suffixed(ReplicaState replica) {
        return replica.name().endsWith(Integer.toString(replica.id()));
    }

    private static int digits(ReplicaState replica) {
        return Integer.toString(replica.id()).length();
    }

    private void numbers(ToIntFunction<ReplicaState> field) {
        out.numbers(column(replica -> (long) field.applyAsInt(replica)));
    }

    private void given(List<@Nullable Long> values) {
        List<Long> kinds = new ArrayList<>(values.size());
        List<Long> present = new ArrayList<>();
        for (Long value : values) {
            kinds.add(value == null ? ABSENT : GIVEN);
            if (value != null) {
                present.add(value);
            }
        }
        out.numbers(kinds);
        out.numbers(present);
    }

    private void uids() {
        List<Long> kinds = new ArrayList<>(rows.size());
        List<Long> digits = new ArrayList<>();
        List<@Nullable String> others = new ArrayList<>();
        for (ReplicaState replica : rows) {
            String uid = replica.shortUid().orElse(null);
            if (uid == null) {
                kinds.add(ABSENT);
            } else if (SHORT_UID.matcher(uid).matches()) {
                kinds.add(GIVEN);
                digits.add(Long.parseLong(uid, HEXADECIMAL));
            } else {
                kinds.add(OTHER);
                others.add(uid);
            }
        }
        out.numbers(kinds);
        out.numbers(digits);
        out.texts(others);
    }

    private void after(Function<ReplicaState, Optional<Instant>> time) {
        times(
                column(ReplicaState::createdAt),
                column(replica -> time.apply(replica).orElse(null)));
    }

    private void times(List<Instant> bases, List<? extends @Nullable Instant> times) {
        List<Long> kinds = new ArrayList<>(times.size());
        List<Long> seconds = new ArrayList<>();
        List<Long> nanos = new ArrayList<>();
        for (int i = 0; i < times.size(); i++) {
            Instant time = times.get(i);
            Instant base = bases.get(i);
            if (time == null) {
                kinds.add(ABSENT);
            } else if (time.equals(base)) {
                kinds.add(OTHER);
            } else {
                kinds.add(GIVEN);
                seconds.add(time.getEpochSecond() - base.getEpochSecond());
                nanos.add((long) time.getNano());
            }
        }
        out.numbers(kinds);
        out.numbers(seconds);
        out.numbers(nanos);
    }

    /**
     * Reads the columns after the number of replicas.
     *
     * @throws IllegalArgumentException for columns that {@link #write} did not write
     */
    static List<ReplicaState> read(int size, PackedColumnReader in) {
        try {
            return new Reading(size, in).read();
        } catch (ArithmeticException | DateTimeException | IllegalStateException e) {
            throw new IllegalArgumentException("the columns have a value that no replica has: " + e.getMessage(), e);
        }
    }

    /** Reads the columns of a group, field by field. */
    private record Reading(int size, PackedColumnReader in) {
        List<ReplicaState> read() {
            List<ReplicaState.Builder> rows = new ArrayList<>(size);
            List<Long> suffixed = in.numbers(size);
            List<@Nullable String> names = in.texts(size);
            List<@Nullable String> roles = in.texts(size);
            List<Long> steps = in.numbers(size);
            List<@Nullable Long> indexes = given();
            int id = 0;
            for (int i = 0; i < size; i++) {
                id = Math.toIntExact(id + steps.get(i));
                Long index = indexes.get(i);
                rows.add(ReplicaState.builder()
                        .name(must(names.get(i)) + (suffixed.get(i) == 1 ? Integer.toString(id) : ""))
                        .role(RoleType.of(must(roles.get(i))))
                        .id(id)
                        .index(index == null ? id : Math.toIntExact(index)));
            }
            each(rows, in.texts(size), (row, stage) -> row.stage(ReplicaStage.valueOf(must(stage))));
            each(rows, in.numbers(size), (row, spent) -> row.relaunchesUsed(Math.toIntExact(spent)));
            each(rows, in.numbers(size), (row, restarts) -> row.restarts(Math.toIntExact(restarts)));
            each(rows, in.numbers(size), (row, retries) -> row.retries(Math.toIntExact(retries)));
            each(rows, in.numbers(size), (row, seen) -> row.everObserved(seen == 1));
            each(rows, uids(), (row, uid) -> row.uid(Optional.ofNullable(uid)));
            List<Instant> created = created();
            each(rows, created, ReplicaState.Builder::createdAt);
            each(rows, times(created), (row, time) -> row.endedAt(Optional.ofNullable(time)));
            each(rows, times(created), (row, time) -> row.backoffUntil(Optional.ofNullable(time)));
            each(rows, times(created), (row, time) -> row.requestedAt(Optional.ofNullable(time)));
            each(rows, times(created), (row, time) -> row.drainedAt(Optional.ofNullable(time)));
            each(rows, times(created), (row, time) -> row.blockedSince(Optional.ofNullable(time)));
            each(
                    rows,
                    given(),
                    (row, code) ->
                            row.exitCode(code == null ? OptionalInt.empty() : OptionalInt.of(Math.toIntExact(code))));
            each(rows, in.texts(size), (row, text) -> row.drainNotice(Optional.ofNullable(text)));
            each(rows, in.texts(size), (row, text) -> row.reason(Optional.ofNullable(text)));
            each(rows, in.texts(size), (row, text) -> row.message(Optional.ofNullable(text)));
            List<ReplicaState> replicas = new ArrayList<>(size);
            rows.forEach(row -> replicas.add(row.build()));
            return replicas;
        }

        private interface Put<T extends @Nullable Object> {
            Object put(ReplicaState.Builder row, T value);
        }

        private static <T extends @Nullable Object> void each(
                List<ReplicaState.Builder> rows, List<T> column, Put<T> into) {
            for (int i = 0; i < rows.size(); i++) {
                into.put(rows.get(i), column.get(i));
            }
        }

        private static String must(@Nullable String text) {
            if (text == null) {
                throw new IllegalArgumentException("the columns have a replica without a name, a role or a stage");
            }
            return text;
        }

        private static int count(List<Long> kinds, long kind) {
            return (int) kinds.stream().filter(one -> one == kind).count();
        }

        private List<@Nullable Long> given() {
            List<Long> kinds = in.numbers(size);
            List<Long> present = in.numbers(count(kinds, GIVEN));
            List<@Nullable Long> values = new ArrayList<>(size);
            int next = 0;
            for (long kind : kinds) {
                values.add(kind == GIVEN ? present.get(next++) : null);
            }
            return values;
        }

        private List<@Nullable String> uids() {
            List<Long> kinds = in.numbers(size);
            List<Long> digits = in.numbers(count(kinds, GIVEN));
            List<@Nullable String> others = in.texts(count(kinds, OTHER));
            List<@Nullable String> uids = new ArrayList<>(size);
            int digit = 0;
            int other = 0;
            for (long kind : kinds) {
                uids.add(
                        kind == GIVEN
                                ? String.format("%08x", digits.get(digit++))
                                : kind == OTHER ? others.get(other++) : null);
            }
            return uids;
        }

        private List<Instant> created() {
            List<Instant> times = new ArrayList<>(size);
            Times column = new Times();
            Instant before = Instant.EPOCH;
            for (int i = 0; i < size; i++) {
                Instant time = column.at(i, before);
                if (time == null) {
                    throw new IllegalArgumentException("the columns have a replica without the time of its creation");
                }
                times.add(time);
                before = time;
            }
            return times;
        }

        private List<@Nullable Instant> times(List<Instant> bases) {
            List<@Nullable Instant> times = new ArrayList<>(size);
            Times column = new Times();
            for (int i = 0; i < size; i++) {
                times.add(column.at(i, bases.get(i)));
            }
            return times;
        }

        /** Column of times, read row by row. */
        private final class Times {
            private final List<Long> kinds = in.numbers(size);
            private final List<Long> seconds = in.numbers(count(kinds, GIVEN));
            private final List<Long> nanos = in.numbers(count(kinds, GIVEN));
            private int next;

            @Nullable
            Instant at(int row, Instant base) {
                long kind = kinds.get(row);
                if (kind != GIVEN) {
                    return kind == OTHER ? base : null;
                }
                Instant time =
                        Instant.ofEpochSecond(Math.addExact(base.getEpochSecond(), seconds.get(next)), nanos.get(next));
                next++;
                return time;
            }
        }
    }
}
