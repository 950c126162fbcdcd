package dev.edl.runtime.data;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Splits the rows of each class between training and testing. */
final class StratifiedSplit {
    private StratifiedSplit() {}

    static ArraySplit of(ArrayDataset table, double testFraction, long seed) {
        if (!(testFraction > 0 && testFraction < 1)) {
            throw new IllegalArgumentException(
                    "the test fraction must be between 0 and 1, for example 0.2, was " + testFraction);
        }
        Map<Integer, List<Integer>> byClass = new TreeMap<>();
        for (int row = 0; row < table.rows(); row++) {
            byClass.computeIfAbsent(table.label(row), label -> new ArrayList<>())
                    .add(row);
        }
        Random random = new Random(seed);
        List<Integer> train = new ArrayList<>();
        List<Integer> test = new ArrayList<>();
        for (List<Integer> rows : byClass.values()) {
            Collections.shuffle(rows, random);
            int toTest = toTest(rows.size(), testFraction);
            test.addAll(rows.subList(0, toTest));
            train.addAll(rows.subList(toTest, rows.size()));
        }
        if (test.isEmpty()) {
            throw new IllegalArgumentException(table + " cannot be split: no class has two rows");
        }
        // Without this shuffle the rows are sorted by class, and each minibatch would contain only one class.
        Collections.shuffle(train, random);
        Collections.shuffle(test, random);
        return new ArraySplit(table.select("-train", array(train)), table.select("-test", array(test)));
    }

    private static int toTest(int rows, double testFraction) {
        if (rows < 2) {
            return 0;
        }
        return (int) Math.min(rows - 1L, Math.max(1, Math.round(rows * testFraction)));
    }

    private static int[] array(List<Integer> rows) {
        return rows.stream().mapToInt(Integer::intValue).toArray();
    }
}
