package dev.edl.cli.elasticdl;

import dev.edl.runtime.data.RecordFormat;
import dev.edl.runtime.data.recordio.RecordIoWriter;
import dev.edl.runtime.data.tfrecord.ExampleDecoder;
import dev.edl.runtime.data.tfrecord.TfExample;
import dev.edl.runtime.model.Model;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.zoo.Mlp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Learns in which of four quadrants a point is. */
public final class Quadrant implements ModelDefinition {
    @Override
    public Model model() {
        return Mlp.of(2, 8, 4);
    }

    @Override
    public RecordFormat format() {
        return ExampleDecoder.create().floats("point", 2).label("quadrant");
    }

    @Override
    public Optimizer optimizer() {
        return Optimizer.adam(0.02f);
    }

    /** Writes 640 points into a folder. */
    static Path points(Path folder) throws IOException {
        Random random = new Random(11);
        try (RecordIoWriter file =
                RecordIoWriter.create(Files.createDirectories(folder).resolve("data-00000"))) {
            for (int i = 0; i < 640; i++) {
                float x = random.nextFloat() * 2 - 1;
                float y = random.nextFloat() * 2 - 1;
                file.write(TfExample.builder()
                        .floats("point", x, y)
                        .int64s("quadrant", (x > 0 ? 1 : 0) + (y > 0 ? 2 : 0))
                        .build()
                        .toBytes());
            }
        }
        return folder;
    }
}
