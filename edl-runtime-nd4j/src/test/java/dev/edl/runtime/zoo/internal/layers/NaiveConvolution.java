package dev.edl.runtime.zoo.internal.layers;

/** A 3 x 3 convolution, valid padding, as its definition has it: images of [height][width][channel] in double precision. */
record NaiveConvolution(int height, int width, int channels, int filters) {
    double[] forward(float[] x, float[] parameters, int records) {
        double[] y = new double[records * height * width * filters];
        each(records, (in, out, w) -> y[out] += (double) x[in] * parameters[w]);
        return y;
    }

    double[] inputGradient(float[] dz, float[] parameters, int records) {
        double[] dx = new double[records * (height + 2) * (width + 2) * channels];
        each(records, (in, out, w) -> dx[in] += (double) dz[out] * parameters[w]);
        return dx;
    }

    double[] kernelGradient(float[] x, float[] dz, int records) {
        double[] dw = new double[9 * channels * filters];
        each(records, (in, out, w) -> dw[w] += (double) dz[out] * x[in]);
        return dw;
    }

    /** All products of a convolution: which input with which weight goes to which output. */
    private void each(int records, Term term) {
        for (int r = 0; r < records; r++) {
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    for (int k = 0; k < 9; k++) {
                        int pixel = (r * (height + 2) + y + k / 3) * (width + 2) + x + k % 3;
                        for (int c = 0; c < channels; c++) {
                            for (int f = 0; f < filters; f++) {
                                term.of(
                                        pixel * channels + c,
                                        ((r * height + y) * width + x) * filters + f,
                                        (k * channels + c) * filters + f);
                            }
                        }
                    }
                }
            }
        }
    }

    private interface Term {
        void of(int input, int output, int weight);
    }
}
