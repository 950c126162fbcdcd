package dev.edl.runtime.data;

/**
 * A dataset in two disjoint parts.
 *
 * @param train the training records
 * @param test the test records
 */
public record DatasetSplit(Dataset train, Dataset test) {}
