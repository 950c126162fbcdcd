import dev.edl.runtime.data.npy.NpzArray;
import dev.edl.runtime.data.npy.SafetensorsReader;
import dev.edl.runtime.data.npy.SafetensorsWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** EDL's half of the check: writes arrays of a seed, or compares those of a file with them. */
final class SafetensorsFiles {
    private SafetensorsFiles() {}

    public static void main(String[] args) throws IOException {
        List<NpzArray> arrays = arrays(new Random(Long.parseLong(args[2])));
        Path file = Path.of(args[1]);
        if (args[0].equals("write")) {
            SafetensorsWriter.write(file, arrays);
            return;
        }
        Map<String, NpzArray> read = SafetensorsReader.read(file);
        for (NpzArray array : arrays) {
            if (!array.equals(read.get(array.name()))) {
                throw new IOException(file + ": " + array + " is not as it was written");
            }
        }
        if (read.size() != arrays.size()) {
            throw new IOException(file + ": expected " + arrays + ", found " + read.values());
        }
    }

    /** Returns arrays of each type, some of odd lengths, each ending with the sum of its other elements. */
    private static List<NpzArray> arrays(Random random) {
        float[] kernel = new float[1000];
        double[] doubles = random.doubles(6).toArray();
        long[] longs = random.longs(8, -1L << 40, 1L << 40).toArray();
        double sum = 0;
        for (int i = 0; i < kernel.length - 1; i++) {
            kernel[i] = random.nextFloat() - 0.5f;
            sum += kernel[i];
        }
        kernel[999] = (float) sum;
        doubles[5] = DoubleStream.of(doubles).limit(5).sum();
        longs[7] = LongStream.of(longs).limit(7).sum();
        return List.of(
                NpzArray.of("odd", new float[] {1, 2, 3}, 3),
                NpzArray.of("dense/kernel", kernel, 20, 50),
                NpzArray.of("fm/ids", longs, 8),
                NpzArray.of("mean \u00e9", doubles, 2, 3),
                NpzArray.of("step", new float[] {42}),
                NpzArray.of("none", new float[0], 0, 4));
    }
}
