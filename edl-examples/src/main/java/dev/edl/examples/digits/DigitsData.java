package dev.edl.examples.digits;

import dev.edl.runtime.data.idx.LabelledPixels;
import dev.edl.runtime.data.recordio.RecordIoDataset;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * Writes the example's digits, which are resources of its jar, to files and opens these, like data on a job's volume.
 */
public final class DigitsData {
    private static final List<String> TRAIN = List.of("data-00000", "data-00001", "data-00002");
    private static final List<String> TEST = List.of("data-00000");

    private DigitsData() {}

    /** Writes the 1,438 training digits to {@code train} in a folder and opens them; each has 64 floats from 0 to 1. */
    public static RecordIoDataset train(Path folder) throws IOException {
        return unpack("train", TRAIN, folder);
    }

    /** Writes the 359 held-out digits to {@code test} in a folder and opens them. */
    public static RecordIoDataset test(Path folder) throws IOException {
        return unpack("test", TEST, folder);
    }

    private static RecordIoDataset unpack(String part, List<String> names, Path folder) throws IOException {
        Path to = Files.createDirectories(folder.resolve(part));
        for (String name : names) {
            String resource = "/digits/" + part + "/" + name;
            try (InputStream in = DigitsData.class.getResourceAsStream(resource)) {
                if (in == null) {
                    throw new FileNotFoundException("the example's data is not on the class path: " + resource);
                }
                Files.copy(in, to.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return open(to);
    }

    /** Opens the digits that exist in a folder {@code train} or {@code test}. */
    static RecordIoDataset open(Path part) throws IOException {
        return RecordIoDataset.open(part, new LabelledPixels(64, 1 / 16f));
    }
}
