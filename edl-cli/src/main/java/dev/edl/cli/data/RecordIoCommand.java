package dev.edl.cli.data;

import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.data.csv.CsvTable;
import dev.edl.runtime.data.idx.IdxFile;
import dev.edl.runtime.data.recordio.RecordIoWriter;
import dev.edl.runtime.data.tfrecord.TfExample;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes RecordIO files of {@code tf.train.Example} records, as ElasticDL's generators do. */
@Command(
        name = "recordio",
        description = {
            "Writes RecordIO files of tf.train.Example records, as ElasticDL's generators do.",
            "IDX files, such as MNIST's, become a float list \"image\" and an int64 \"label\". A CSV file becomes a float for"
                    + " each column, by its name, and an int64 \"label\".",
            "Example: edl data recordio --images train-images-idx3-ubyte --labels train-labels-idx1-ubyte mnist/train"
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class RecordIoCommand implements Callable<Integer> {
    private static final String LABEL = "label";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--images", paramLabel = "FILE", description = "IDX file of images; needs --labels.")
    private @Nullable Path images;

    @Option(names = "--labels", paramLabel = "FILE", description = "IDX file with a label for each image.")
    private @Nullable Path labels;

    @Option(names = "--csv", paramLabel = "FILE", description = "CSV file of numbers with a header; needs --label.")
    private @Nullable Path csv;

    @Option(names = "--label", paramLabel = "COLUMN", description = "Column of the class, or last.")
    private @Nullable String label;

    @Option(
            names = "--classes",
            paramLabel = "NAMES",
            description = "Classes of text labels, numbered from 0; for example --classes cat,dog")
    private @Nullable String classes;

    @Option(
            names = "--records-per-shard",
            paramLabel = "N",
            description = "Most records of a file. Default: ${DEFAULT-VALUE}")
    private int perShard = 4096;

    @Parameters(
            paramLabel = "FOLDER",
            description = "Empty or new folder for the files data-00000 and so on, for example mnist/train.")
    private Path folder = Path.of("");

    /** Record of a row. */
    @FunctionalInterface
    private interface Rows {
        TfExample row(int row) throws IOException;
    }

    @Override
    public Integer call() throws IOException {
        if (perShard < 1) {
            throw wrong("--records-per-shard must be at least 1, was " + perShard + "; for example 4096");
        }
        if (images != null && labels != null && csv == null && label == null) {
            idx(images, labels);
        } else if (csv != null && label != null && images == null && labels == null) {
            table(csv, label);
        } else {
            throw wrong(
                    "--images and --labels, or --csv and --label must be set; for example --csv data.csv --label y");
        }
        return 0;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private void idx(Path imageFile, Path labelFile) throws IOException {
        try (IdxFile image = IdxFile.open(imageFile);
                IdxFile answer = IdxFile.open(labelFile)) {
            if (image.records() != answer.records() || answer.recordElements() != 1) {
                throw new IllegalArgumentException("--labels must have one label for each of the " + image.records()
                        + " images, but " + answer + " has " + answer.records() + " records of "
                        + answer.recordElements());
            }
            write(
                    image.records(),
                    row -> TfExample.builder()
                            .floats("image", floats(image.read(row, row + 1)))
                            .int64s(LABEL, (long) answer.read(row, row + 1)[0])
                            .build());
        }
    }

    private static float[] floats(double[] values) {
        float[] floats = new float[values.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) values[i];
        }
        return floats;
    }

    private void table(Path file, String column) throws IOException {
        CsvTable table = CsvTable.reader().label(column).read(file);
        PrintWriter err = spec.commandLine().getErr();
        table.problems().forEach(problem -> err.println("warning: " + problem));
        ArrayDataset rows = table.dataset();
        List<String> names = table.features();
        if (names.contains(LABEL)) {
            throw new IllegalArgumentException(
                    "--csv must have no feature named \"label\", which is the name of the class in"
                            + " a record; rename the column");
        }
        List<Long> answers = answers(table);
        write(rows.rows(), row -> {
            TfExample.Builder record = TfExample.builder();
            float[] values = rows.row(row);
            for (int i = 0; i < values.length; i++) {
                record.floats(names.get(i), values[i]);
            }
            return record.int64s(LABEL, answers.get(rows.label(row))).build();
        });
    }

    /** Returns the label of each class of a table: its integer, or the position of its name in {@code --classes}. */
    private List<Long> answers(CsvTable table) {
        List<String> names = table.classNames();
        if (names.stream().allMatch(name -> name.matches("[0-9]{1,9}"))) {
            return table.classes();
        }
        if (classes == null) {
            throw new IllegalArgumentException(
                    "--classes is missing, because the labels are texts; for example --classes "
                            + String.join(",", names) + ", the same for all files of one dataset");
        }
        List<String> given = List.of(classes.split(",", -1));
        List<Long> answers = new ArrayList<>();
        for (String name : names) {
            if (!given.contains(name)) {
                throw new IllegalArgumentException(
                        "--classes must have each class of the file, but has no \"" + name + "\", was " + classes);
            }
            answers.add((long) given.indexOf(name));
        }
        return answers;
    }

    private void write(int records, Rows rows) throws IOException {
        Files.createDirectories(folder);
        try (Stream<Path> files = Files.list(folder)) {
            if (files.findAny().isPresent()) {
                throw new IllegalArgumentException(
                        "the folder must be empty or new, but " + folder + " has files; for example mnist/train");
            }
        }
        int shards = 0;
        for (int from = 0; from < records; from += perShard) {
            Path file = folder.resolve(String.format(Locale.ROOT, "data-%05d", shards++));
            // An unfinished file is not a file of a dataset.
            Path unfinished = folder.resolve("_" + file.getFileName());
            try (RecordIoWriter writer = RecordIoWriter.create(unfinished)) {
                for (int row = from; row < Math.min(records, from + perShard); row++) {
                    writer.write(rows.row(row).toBytes());
                }
            }
            Files.move(unfinished, file);
        }
        spec.commandLine().getOut().println(records + " records written to " + shards + " files in " + folder);
    }
}
