package dev.edl.runtime.data;

/**
 * A dataset in two parts.
 *
 * @param train the records to train on
 * @param test the records to measure on, none of them in the other part
 */
public record DatasetSplit(Dataset train, Dataset test) {}
