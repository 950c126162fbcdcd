package dev.edl.k8s.internal.record;

import dev.edl.reconcile.JobState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses one state of a job after another, into the members of one gzip file: a group of replicas that has not changed since the
 * last state is not compressed again, so that the cost is that of what has changed, however many replicas there are. Not
 * thread-safe.
 */
final class StatePacker {
    /** A group ends behind each replica whose hash has these bits: every 64th on average, whatever comes and goes around. */
    private static final int BOUNDARY = 0x3f;

    /** The most that a state may have unpacked: twice what the largest job takes that {@link RecordLimit} accepts. */
    private static final int MOST_BYTES = 32 << 20;

    /** The members of the last state. To look one up is cheap where its parts are the same objects as then. */
    private Map<List<String>, byte[]> last = new HashMap<>();

    /** A state as base64 of gzip of its JSON. */
    String pack(JobState state) {
        Map<List<String>, byte[]> now = new HashMap<>();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (List<String> group : groups(state.jsonParts())) {
            byte[] known = last.get(group);
            byte[] member = known != null ? known : gzip(group);
            now.put(group, member);
            all.writeBytes(member);
        }
        last = now;
        return Base64.getEncoder().encodeToString(all.toByteArray());
    }

    static List<List<String>> groups(List<String> parts) {
        List<List<String>> groups = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < parts.size(); i++) {
            // What stands before the replicas changes more often than they do.
            if (i == 0 || i == parts.size() - 1 || (mixed(parts.get(i).hashCode()) & BOUNDARY) == BOUNDARY) {
                groups.add(parts.subList(from, i + 1));
                from = i + 1;
            }
        }
        return groups;
    }

    /** The texts of replicas differ by a few digits, which leaves the same low bits in their hashes: MurmurHash3's last step. */
    private static int mixed(int hash) {
        int bits = hash ^ hash >>> 16;
        bits *= 0x85ebca6b;
        bits ^= bits >>> 13;
        bits *= 0xc2b2ae35;
        return bits ^ bits >>> 16;
    }

    private static byte[] gzip(List<String> parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            for (String part : parts) {
                packed.write(part.getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a state could not be packed into memory", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads what {@link #pack} wrote.
     *
     * @throws IllegalArgumentException for a text that is no state, or a state that is larger than that of any job
     */
    static JobState unpack(String text) {
        byte[] json;
        try (GZIPInputStream packed =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
            // A megabyte of gzip may hold a gigabyte: one byte more than the bound tells that there is more.
            json = packed.readNBytes(MOST_BYTES + 1);
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException("the state of a job must be base64 of gzip of JSON", e);
        }
        if (json.length > MOST_BYTES) {
            throw new IllegalArgumentException("the state of a job must have at most " + MOST_BYTES
                    + " bytes when it is unpacked, and this one has more; EDL wrote no such state");
        }
        return JobState.fromJson(new String(json, StandardCharsets.UTF_8));
    }
}
