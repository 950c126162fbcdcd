package dev.edl.runtime.zoo;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.Parameter;

/** A {@link DeepFm} by its formula, pair by pair, in double precision; gradients by central differences. */
final class ReferenceDeepFm {
    final double[] parameters;
    final double[] weights;
    final double[] vectors;

    private final DeepFm model;
    private final int dimension;
    private final Batch batch;

    ReferenceDeepFm(DeepFm model, float[] parameters, Batch batch) {
        this.model = model;
        this.dimension = model.embeddings().get(1).dimension();
        this.batch = batch;
        this.parameters = doubles(parameters, parameters.length);
        this.weights = doubles(batch.rows(0).values(), batch.rows(0).count());
        this.vectors = doubles(batch.rows(1).values(), batch.rows(1).count() * dimension);
    }

    double loss() {
        double total = 0;
        for (int record = 0; record < batch.size(); record++) {
            double p = probability(record);
            total -= Math.log(batch.labels()[record] == 1 ? p : 1 - p);
        }
        return total / batch.size();
    }

    double probability(int record) {
        int fields = model.ids();
        int numeric = model.features();
        double[] x = new double[fields * dimension + numeric];
        double logit = parameters[at("bias").offset()];
        for (int f = 0; f < fields; f++) {
            int row = batch.rows(1).row(record, f);
            if (row >= 0) {
                logit += weights[batch.rows(0).row(record, f)];
                System.arraycopy(vectors, row * dimension, x, f * dimension, dimension);
            }
        }
        for (int i = 0; i < numeric; i++) {
            x[fields * dimension + i] = batch.features()[record * numeric + i];
            logit += parameters[at("numeric/weights").offset() + i] * x[fields * dimension + i];
        }
        for (int f = 0; f < fields; f++) {
            for (int g = f + 1; g < fields; g++) {
                for (int d = 0; d < dimension; d++) {
                    logit += x[f * dimension + d] * x[g * dimension + d];
                }
            }
        }
        return 1 / (1 + Math.exp(-logit - deep(x)));
    }

    private double deep(double[] input) {
        double[] x = input;
        for (Parameter kernel : model.layout().parameters()) {
            if (kernel.shape().size() == 2) {
                int out = kernel.shape().get(1);
                boolean last = kernel.name().equals("logit/kernel");
                double[] z = new double[out];
                for (int j = 0; j < out; j++) {
                    z[j] = last ? 0 : parameters[kernel.end() + j];
                    for (int i = 0; i < x.length; i++) {
                        z[j] += x[i] * parameters[kernel.offset() + i * out + j];
                    }
                    z[j] = last ? z[j] : Math.max(z[j], 0);
                }
                x = z;
            }
        }
        return x.length == 1 && model.layout().size() > 1 + model.features() ? x[0] : 0;
    }

    /** Returns the gradient of the loss with respect to one of the arrays. */
    double[] gradient(double[] by) {
        double step = 1e-6;
        double[] gradient = new double[by.length];
        for (int i = 0; i < by.length; i++) {
            double here = by[i];
            by[i] = here + step;
            double above = loss();
            by[i] = here - step;
            double below = loss();
            by[i] = here;
            gradient[i] = (above - below) / (2 * step);
        }
        return gradient;
    }

    private Parameter at(String name) {
        return model.layout().parameters().stream()
                .filter(p -> p.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static double[] doubles(float[] values, int length) {
        double[] doubles = new double[length];
        for (int i = 0; i < length; i++) {
            doubles[i] = values[i];
        }
        return doubles;
    }
}
