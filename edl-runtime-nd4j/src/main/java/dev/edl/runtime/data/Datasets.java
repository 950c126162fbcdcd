package dev.edl.runtime.data;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Factories of datasets from lists and from other datasets.
 *
 * <pre>{@code
 * ListDataset<House> houses = Datasets.of(list, 2, 1, encoder);
 * DatasetSplit split = Datasets.split(clicks, 0.1);
 * Dataset some = Datasets.take(split.train(), 10_000);
 * Dataset both = Datasets.concat(january, february);
 * }</pre>
 *
 * <p>A dataset made from other datasets reads from them, copies nothing and owns nothing. Close the originals after
 * their last use.
 */
public final class Datasets {
    private Datasets() {}

    /**
     * Returns a dataset of objects in memory.
     *
     * @param items at least one; the list is copied, the objects are not
     * @param features floats of features that the encoder writes for one item
     * @param labels floats of labels that the encoder writes for one item
     */
    public static <T> ListDataset<T> of(
            List<? extends T> items, int features, int labels, RowEncoder<? super T> encoder) {
        return of(items, features, labels, 0, encoder);
    }

    /**
     * Returns a dataset of objects in memory whose records have ids.
     *
     * @param ids ids that the encoder writes for one item
     * @see #of(List, int, int, RowEncoder)
     */
    public static <T> ListDataset<T> of(
            List<? extends T> items, int features, int labels, int ids, RowEncoder<? super T> encoder) {
        if (items.isEmpty() || features < 0 || labels < 0 || ids < 0 || features + ids < 1) {
            throw new IllegalArgumentException(
                    "a dataset needs at least one item, features >= 0, labels >= 0, ids >= 0,"
                            + " and features or ids; was " + items.size() + " items, " + features + ", " + labels + ", "
                            + ids);
        }
        return new ListDataset<>(items, features, labels, ids, encoder);
    }

    /**
     * Returns the first records of a dataset, shard after shard.
     *
     * @param records the number of records, at least 1; all records if the dataset has fewer
     */
    public static Dataset take(Dataset dataset, long records) {
        if (records < 1) {
            throw new IllegalArgumentException("at least 1 record must be taken, was " + records);
        }
        Map<String, DatasetView.Part> parts = new LinkedHashMap<>();
        long left = records;
        for (DataShard shard : dataset.shards()) {
            long taken = Math.min(left, shard.records());
            parts.put(shard.name(), new DatasetView.Part(dataset, shard.name(), 0, taken));
            left -= taken;
        }
        return new DatasetView("take(" + records + ") of " + dataset, dataset, dataset.names(), parts);
    }

    /**
     * Splits each shard: the last records of the shard are for testing, the others for training.
     *
     * <p>Nothing is shuffled, so in a shard sorted by class or time both parts follow that order.
     *
     * @param testFraction share of each shard, between 0 and 1, both exclusive; rounded to the nearest record
     * @throws IllegalArgumentException when a part would be empty
     */
    public static DatasetSplit split(Dataset dataset, double testFraction) {
        if (!(testFraction > 0 && testFraction < 1)) {
            throw new IllegalArgumentException(
                    "the test fraction must be between 0 and 1, for example 0.2, was " + testFraction);
        }
        Map<String, DatasetView.Part> train = new LinkedHashMap<>();
        Map<String, DatasetView.Part> test = new LinkedHashMap<>();
        for (DataShard shard : dataset.shards()) {
            long toTest = Math.round(shard.records() * testFraction);
            long toTrain = shard.records() - toTest;
            train.put(shard.name(), new DatasetView.Part(dataset, shard.name(), 0, toTrain));
            test.put(shard.name(), new DatasetView.Part(dataset, shard.name(), toTrain, toTest));
        }
        DatasetSplit split = new DatasetSplit(
                new DatasetView("train part of " + dataset, dataset, dataset.names(), train),
                new DatasetView("test part of " + dataset, dataset, dataset.names(), test));
        if (split.train().records() == 0 || split.test().records() == 0) {
            throw new IllegalArgumentException(dataset + " cannot be split by " + testFraction + ": that leaves "
                    + split.train().records() + " records to train and "
                    + split.test().records() + " to test on");
        }
        return split;
    }

    /**
     * Returns the records of several datasets that have the same widths, one dataset after the other.
     *
     * <p>If an earlier dataset has a shard of the same name, the number of the dataset, from 1, is appended:
     * {@code train-00000#2}.
     *
     * @param datasets at least one
     * @throws IllegalArgumentException if the widths or the known names of two datasets differ
     */
    public static Dataset concat(Dataset... datasets) {
        if (datasets.length == 0) {
            throw new IllegalArgumentException("concat must get at least one dataset, was 0");
        }
        Dataset first = datasets[0];
        Map<String, DatasetView.Part> parts = new LinkedHashMap<>();
        RecordNames names = first.names();
        for (int i = 0; i < datasets.length; i++) {
            Dataset dataset = datasets[i];
            if (dataset.features() != first.features()
                    || dataset.labels() != first.labels()
                    || dataset.ids() != first.ids()) {
                throw new IllegalArgumentException(
                        "datasets must have the same numbers of features, labels and ids, was " + widths(first)
                                + " and " + widths(dataset));
            }
            names = names.merged(dataset.names(), dataset.toString());
            for (DataShard shard : dataset.shards()) {
                DatasetView.Part part = new DatasetView.Part(dataset, shard.name(), 0, shard.records());
                String name = parts.containsKey(shard.name()) ? shard.name() + "#" + (i + 1) : shard.name();
                if (parts.putIfAbsent(name, part) != null) {
                    throw new IllegalArgumentException(
                            "two shards have the name \"" + name + "\"; rename one of the" + " files");
                }
            }
        }
        String all = Arrays.stream(datasets).map(Dataset::toString).collect(Collectors.joining(", "));
        return new DatasetView("concat of " + all, first, names, parts);
    }

    private static String widths(Dataset dataset) {
        return dataset.features() + ", " + dataset.labels() + " and " + dataset.ids() + " of " + dataset;
    }
}
