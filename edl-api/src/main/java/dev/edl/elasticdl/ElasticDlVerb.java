package dev.edl.elasticdl;

import java.util.Locale;

/** Action of an ElasticDL command line. */
public enum ElasticDlVerb {
    /** Trains a model. */
    TRAIN,
    /** Evaluates a trained model. */
    EVALUATE,
    /** Predicts with a trained model. */
    PREDICT;

    /** Returns the word in the command line: {@code train}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
