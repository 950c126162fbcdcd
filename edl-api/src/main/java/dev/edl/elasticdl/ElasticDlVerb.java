package dev.edl.elasticdl;

import java.util.Locale;

/** What an ElasticDL command line asks for. */
public enum ElasticDlVerb {
    /** Train a model. */
    TRAIN,
    /** Evaluate a trained model. */
    EVALUATE,
    /** Predict with a trained model. */
    PREDICT;

    /** The word in the command line: {@code train}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
