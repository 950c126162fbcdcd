package dev.edl.k8s.internal.record;

import dev.edl.reconcile.JobState;
import dev.edl.reconcile.ReplicaState;
import dev.edl.reconcile.ReplicaStates;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Packs successive states of a job as gzip files with one member per group of replicas. A group that has not changed
 * since the last state is not compressed again. Cost is proportional to the changed replicas. Not thread-safe.
 *
 * <p>The first member has the format and the state as JSON without its replicas. Each further member has
 * {@linkplain ReplicaColumns the columns of a group} of replicas, and the last member has the end mark.
 */
final class StatePacker {
    /**
     * A group ends after each replica whose hash has these bits: every 256th on average, independent of added and
     * removed replicas.
     */
    private static final int BOUNDARY = 0xff;

    /** Maximum bytes of an unpacked state: twice the size of the largest job that was ever accepted. */
    private static final int MOST_BYTES = 32 << 20;

    /** Maximum number of replicas of a state: about three times what {@link RecordLimit} accepts. */
    private static final int MOST_REPLICAS = 200_000;

    /** Format of a state with columns. */
    private static final int COLUMNS = 1;

    /** Number of replicas that marks the end after the last group. */
    private static final int END = 0;

    /**
     * Compressed gzip members of the last state, by the texts of the group's replicas. A lookup is cheap if the texts
     * are the same objects as before.
     */
    private Map<List<String>, byte[]> last = new HashMap<>();

    /** Returns a state as base64 of gzip. */
    String pack(JobState state) {
        Map<List<String>, byte[]> now = new HashMap<>();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        List<String> parts = state.jsonParts();
        PackedColumnWriter head = new PackedColumnWriter();
        head.number(COLUMNS);
        head.text(parts.get(0) + parts.get(parts.size() - 1));
        all.writeBytes(gzip(head));
        List<ReplicaState> replicas = List.copyOf(state.replicas().values());
        int from = 0;
        for (List<String> group : groups(parts.subList(1, parts.size() - 1))) {
            byte[] known = last.get(group);
            byte[] member = known != null ? known : gzip(replicas.subList(from, from + group.size()));
            now.put(group, member);
            all.writeBytes(member);
            from += group.size();
        }
        PackedColumnWriter end = new PackedColumnWriter();
        end.number(END);
        all.writeBytes(gzip(end));
        last = now;
        return Base64.getEncoder().encodeToString(all.toByteArray());
    }

    /** Returns the groups of the replicas' texts, none empty. */
    static List<List<String>> groups(List<String> texts) {
        List<List<String>> groups = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < texts.size(); i++) {
            if (i == texts.size() - 1
                    || i - from == ReplicaColumns.MOST - 1
                    || (mixed(texts.get(i).hashCode()) & BOUNDARY) == BOUNDARY) {
                groups.add(texts.subList(from, i + 1));
                from = i + 1;
            }
        }
        return groups;
    }

    /**
     * Returns the hash with its bits mixed, by the final step of MurmurHash3. Texts of replicas differ by a few digits,
     * which leaves the low bits of their hashes equal.
     */
    private static int mixed(int hash) {
        int bits = hash ^ hash >>> 16;
        bits *= 0x85ebca6b;
        bits ^= bits >>> 13;
        bits *= 0xc2b2ae35;
        return bits ^ bits >>> 16;
    }

    private static byte[] gzip(List<ReplicaState> group) {
        PackedColumnWriter columns = new PackedColumnWriter();
        ReplicaColumns.write(group, columns);
        return gzip(columns);
    }

    private static byte[] gzip(PackedColumnWriter columns) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(columns.bytes());
        } catch (IOException e) {
            throw new UncheckedIOException("a state could not be packed into memory", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads a state that {@link #pack} wrote.
     *
     * @throws IllegalArgumentException for a text that is not a state, or a state larger than that of any job
     */
    static JobState unpack(String text) {
        byte[] bytes;
        try (GZIPInputStream packed =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
            // One MiB of gzip may unpack to one GiB. One byte more than the bound shows that there is more.
            bytes = packed.readNBytes(MOST_BYTES + 1);
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException("the state of a job must be base64 of gzip", e);
        }
        if (bytes.length > MOST_BYTES) {
            throw new IllegalArgumentException("the state of a job must have at most " + MOST_BYTES
                    + " bytes when it is unpacked, and this one has more; EDL wrote no such state");
        }
        return columns(new PackedColumnReader(bytes, 0));
    }

    private static JobState columns(PackedColumnReader in) {
        long format = in.number();
        if (format != COLUMNS) {
            throw new IllegalArgumentException("the state of a job must be of format " + COLUMNS + ", was " + format
                    + "; a newer EDL wrote it, or it is not the state of a job");
        }
        JobState head = JobState.fromJson(in.text());
        List<ReplicaState> replicas = new ArrayList<>();
        for (int size = size(in); size != END; size = size(in)) {
            replicas.addAll(ReplicaColumns.read(size, in));
            if (replicas.size() > MOST_REPLICAS) {
                throw new IllegalArgumentException("the state of a job must have at most " + MOST_REPLICAS
                        + " replicas, and this one has more; EDL wrote no such state");
            }
        }
        if (!in.ended()) {
            throw new IllegalArgumentException("the state of a job has data after its end");
        }
        return JobState.builder()
                .from(head)
                .replicas(ReplicaStates.of(replicas))
                .build();
    }

    private static int size(PackedColumnReader in) {
        return in.number(ReplicaColumns.MOST, "a group of replicas");
    }
}
