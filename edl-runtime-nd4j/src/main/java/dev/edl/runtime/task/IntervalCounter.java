package dev.edl.runtime.task;

import dev.edl.runtime.proof.RecordCoverage;
import dev.edl.runtime.proof.TaskType;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counter for each number from 0 on, stored as the positions where the count changes.
 *
 * <p>Neighbours with equal counts share an entry, so uniform counts take no memory at any size.
 */
final class IntervalCounter {
    /** By first number: the count of all numbers up to the next key; the count is 0 before the first key. */
    private final TreeMap<Long, Integer> steps = new TreeMap<>();

    void add(long start, long end, int delta) {
        steps.put(end, countAt(end));
        steps.put(start, countAt(start));
        steps.subMap(start, end).replaceAll((at, count) -> count + delta);
        dropIfEven(start);
        dropIfEven(end);
    }

    private int countAt(long number) {
        Map.Entry<Long, Integer> step = steps.floorEntry(number);
        return step == null ? 0 : step.getValue();
    }

    private void dropIfEven(long at) {
        Map.Entry<Long, Integer> before = steps.lowerEntry(at);
        if (countAt(at) == (before == null ? 0 : before.getValue())) {
            steps.remove(at);
        }
    }

    /** Returns how many of the numbers 0 to {@code size - 1} have count 1, count 0 or below, and count 2 or above. */
    RecordCoverage over(TaskType type, long pass, long size) {
        long once = 0;
        long repeated = 0;
        for (Map.Entry<Long, Integer> step : steps.entrySet()) {
            Long next = steps.higherKey(step.getKey());
            long length = (next == null ? size : next) - step.getKey();
            if (step.getValue() == 1) {
                once += length;
            } else if (step.getValue() > 1) {
                repeated += length;
            }
        }
        return new RecordCoverage(type, pass, once, size - once - repeated, repeated);
    }
}
