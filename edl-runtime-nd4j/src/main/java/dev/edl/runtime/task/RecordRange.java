package dev.edl.runtime.task;

import java.util.List;

/**
 * Half-open range of consecutive records of one shard.
 *
 * @param shard the shard's name
 * @param start index of the first record in the shard, from 0
 * @param end index of the record after the last one; must be greater than {@code start}
 */
public record RecordRange(String shard, long start, long end) {
    /** Checks that the range is not empty and does not start below 0. */
    public RecordRange {
        if (start < 0 || end <= start) {
            throw new IllegalArgumentException("a range of records needs 0 <= start < end, for example " + shard
                    + "[0..64), was " + shard + "[" + start + ".." + end + ")");
        }
    }

    /** Returns the number of records, at least 1. */
    public long records() {
        return end - start;
    }

    /** Returns whether this range contains all records of another range. */
    public boolean contains(RecordRange other) {
        return shard.equals(other.shard) && start <= other.start && other.end <= end;
    }

    /** Returns text for people, for example {@code train-00003[128..192)}. */
    @Override
    public String toString() {
        return shard + "[" + start + ".." + end + ")";
    }

    /** Adds a range at the end of a list; joins it with the list's last range if the two are adjacent. */
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
