package dev.edl.cli.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.cli.EdlCommand;
import dev.edl.runtime.data.idx.IdxFile;
import dev.edl.runtime.data.idx.IdxType;
import dev.edl.runtime.data.recordio.RecordIoReader;
import dev.edl.runtime.data.tfrecord.TfExample;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordIoCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int recordio(Object... args) {
        String[] words = new String[args.length + 2];
        words[0] = "data";
        words[1] = "recordio";
        for (int i = 0; i < args.length; i++) {
            words[i + 2] = args[i].toString();
        }
        return EdlCommand.run(new PrintWriter(out, true), new PrintWriter(err, true), words);
    }

    private static TfExample record(Path file, long row) throws IOException {
        return TfExample.parse(RecordIoReader.open(file).read(row));
    }

    @Test
    void images_are_cut_into_shards() throws IOException {
        Path images = folder.resolve("images");
        Path labels = folder.resolve("labels");
        IdxFile.write(images, IdxType.UNSIGNED_BYTE, List.of(3, 1, 2), 0, 255, 1, 2, 3, 4);
        IdxFile.write(labels, IdxType.UNSIGNED_BYTE, List.of(3), 7, 8, 9);
        Path to = folder.resolve("out");

        int code = recordio("--images", images, "--labels", labels, "--records-per-shard", 2, to);

        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        assertThat(out.toString().strip()).isEqualTo("3 records written to 2 files in " + to);
        assertThat(record(to.resolve("data-00000"), 0).floats("image")).containsExactly(0f, 255f);
        assertThat(record(to.resolve("data-00001"), 0).int64s("label")).containsExactly(9L);
    }

    @Test
    void columns_keep_their_names() throws IOException {
        Path csv = Files.writeString(folder.resolve("a.csv"), "x,y,kind\n1.5,2,cat\n3,4,dog\n5,6,cat\n");
        Path to = folder.resolve("out");

        assertThat(recordio("--csv", csv, "--label", "kind", "--classes", "bird,cat,dog", to))
                .isZero();

        TfExample second = record(to.resolve("data-00000"), 1);
        assertThat(second.names()).containsExactly("label", "x", "y");
        assertThat(second.floats("x")).containsExactly(3f);
        assertThat(second.int64s("label")).containsExactly(2L);
    }

    @Test
    void integer_labels_stay() throws IOException {
        Path csv = Files.writeString(folder.resolve("a.csv"), "x,kind\n1.5,7\n3.5,9\n");
        Path to = folder.resolve("out");

        assertThat(recordio("--csv", csv, "--label", "kind", to)).isZero();

        assertThat(record(to.resolve("data-00000"), 1).int64s("label")).containsExactly(9L);
    }

    @Test
    void mistakes_name_the_flag() throws IOException {
        Path csv = Files.writeString(folder.resolve("a.csv"), "x,kind\n1,cat\n2,dog\n");

        assertThat(recordio("--csv", csv, folder.resolve("new"))).isEqualTo(1);
        assertThat(recordio("--csv", csv, "--label", "kind", "--classes", "cat,dog", folder))
                .isEqualTo(1);
        assertThat(recordio("--csv", csv, "--label", "kind", "--records-per-shard", 0, folder.resolve("new")))
                .isEqualTo(1);

        assertThat(recordio("--csv", csv, "--label", "kind", folder.resolve("new")))
                .isEqualTo(1);
        assertThat(recordio("--csv", csv, "--label", "kind", "--classes", "cat", folder.resolve("new")))
                .isEqualTo(1);

        assertThat(err.toString())
                .contains(
                        "--classes is missing, because the labels are texts; for example --classes cat,dog",
                        "--classes must have each class of the file, but has no \"dog\", was cat",
                        "--csv and --label must be set; for example --csv data.csv --label y",
                        "the folder must be empty or new, but " + folder + " has files",
                        "--records-per-shard must be at least 1, was 0; for example 4096");
    }
}
