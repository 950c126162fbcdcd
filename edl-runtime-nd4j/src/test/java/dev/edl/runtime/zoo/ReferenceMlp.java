package dev.edl.runtime.zoo;

import dev.edl.runtime.model.Batch;
import dev.edl.runtime.model.ParameterLayout;

/** The mean loss of a dense softmax classifier, written out naively in double precision. */
final class ReferenceMlp {
    private ReferenceMlp() {}

    static double loss(ParameterLayout layout, double[] parameters, Batch batch) {
        double total = 0;
        for (int row = 0; row < batch.size(); row++) {
            double[] scores = scores(layout, parameters, batch, row);
            double sum = 0;
            for (double s : scores) {
                sum += Math.exp(s);
            }
            total += Math.log(sum) - scores[(int) batch.labels()[row]];
        }
        return total / batch.size();
    }

    static double[] scores(ParameterLayout layout, double[] parameters, Batch batch, int row) {
        double[] x = new double[batch.featureWidth()];
        for (int i = 0; i < x.length; i++) {
            x[i] = batch.features()[row * x.length + i];
        }
        int depth = layout.parameters().size() / 2;
        for (int l = 0; l < depth; l++) {
            int kernel = layout.parameters().get(2 * l).offset();
            int bias = layout.parameters().get(2 * l + 1).offset();
            int out = layout.parameters().get(2 * l + 1).length();
            double[] z = new double[out];
            for (int j = 0; j < out; j++) {
                z[j] = parameters[bias + j];
                for (int i = 0; i < x.length; i++) {
                    z[j] += x[i] * parameters[kernel + i * out + j];
                }
                if (l < depth - 1 && z[j] < 0) {
                    z[j] = 0;
                }
            }
            x = z;
        }
        return x;
    }

    /** The gradient by central differences. */
    static double[] gradient(ParameterLayout layout, float[] at, Batch batch) {
        double step = 1e-6;
        double[] p = new double[at.length];
        for (int i = 0; i < p.length; i++) {
            p[i] = at[i];
        }
        double[] gradient = new double[p.length];
        for (int i = 0; i < p.length; i++) {
            double here = p[i];
            p[i] = here + step;
            double above = loss(layout, p, batch);
            p[i] = here - step;
            double below = loss(layout, p, batch);
            p[i] = here;
            gradient[i] = (above - below) / (2 * step);
        }
        return gradient;
    }
}
