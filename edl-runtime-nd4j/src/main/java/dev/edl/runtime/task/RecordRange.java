package dev.edl.runtime.task;

import java.util.List;

/**
 * Consecutive records of one shard, half open.
 *
 * @param shard the shard's name
 * @param start the first record, counted from 0
 * @param end the record behind the last one; greater than {@code start}
 */
public record RecordRange(String shard, long start, long end) {
    /** Checks that the range is not empty and does not start below 0. */
    public RecordRange {
        if (start < 0 || end <= start) {
            throw new IllegalArgumentException("a range of records needs 0 <= start < end, for example " + shard
                    + "[0..64), was " + shard + "[" + start + ".." + end + ")");
        }
    }

    /** Number of records, at least 1. */
    public long records() {
        return end - start;
    }

    /** Whether all records of another range are in this one. */
    public boolean contains(RecordRange other) {
        return shard.equals(other.shard) && start <= other.start && other.end <= end;
    }

    /** For example {@code train-00003[128..192)}. */
    @Override
    public String toString() {
        return shard + "[" + start + ".." + end + ")";
    }

    /** Adds a range, joined with the last one when it begins where that one ends. */
    static void addJoined(List<RecordRange> ranges, RecordRange next) {
        int last = ranges.size() - 1;
        if (last >= 0
                && ranges.get(last).shard().equals(next.shard())
                && ranges.get(last).end() == next.start()) {
            ranges.set(last, new RecordRange(next.shard(), ranges.get(last).start(), next.end()));
        } else {
            ranges.add(next);
        }
    }
}
