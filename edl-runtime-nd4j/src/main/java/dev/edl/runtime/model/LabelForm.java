package dev.edl.runtime.model;

import dev.edl.runtime.Batch;
import org.nd4j.linalg.api.ndarray.INDArray;

/** How a graph wants class indices. */
enum LabelForm {
    /** A row of zeros with a one at the class. */
    ONE_HOT {
        @Override
        void write(Batch batch, int classes, INDArray into) {
            into.assign(0);
            for (int row = 0; row < batch.size(); row++) {
                into.data().put((long) row * classes + batch.classLabel(row, classes), 1f);
            }
        }
    },

    /** The index itself. */
    INDEX {
        @Override
        void write(Batch batch, int classes, INDArray into) {
            for (int row = 0; row < batch.size(); row++) {
                into.data().put(row, batch.classLabel(row, classes));
            }
        }
    };

    /** Writes the labels of a batch; {@code into} is contiguous and has as many rows. */
    abstract void write(Batch batch, int classes, INDArray into);
}
