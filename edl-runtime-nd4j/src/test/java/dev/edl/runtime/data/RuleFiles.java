package dev.edl.runtime.data;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.edl.runtime.data.RuleReaders.Made;
import dev.edl.runtime.data.RuleReaders.Reader;
import dev.edl.runtime.data.idx.IdxType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/** Files of {@link DataRulesTest}: two records, (1, 2) of class 0 and (3, 4) of class 1, and their damaged variants. */
final class RuleFiles {
    /** By rule and reader, in the order of the page. */
    static final Map<String, Map<String, Case>> RULES = new LinkedHashMap<>();

    private static final String CSV = "a,b,y\n1,2,0\n3,4,1\n";

    /** A file or folder, and the reader that it is given. */
    record Case(Reader reader, Made made) {
        String outcome(Path folder) throws IOException {
            return RuleReaders.outcome(reader, made.in(folder));
        }
    }

    private RuleFiles() {}

    static {
        rule("Latin-1 text", csv("a,b,y\n1,2,K\u00f6ln\n3,4,Bonn\n".getBytes(ISO_8859_1)));
        rule("UTF-16 text", csv(("\ufeff" + CSV).getBytes(UTF_16LE)));
        rule("UTF-16 text without its mark", csv(CSV.getBytes(UTF_16LE)));
        rule("text behind a byte order mark", csv(("\ufeff" + CSV).getBytes(UTF_8)), binary(RuleFiles::marked));
        rule("lines that end in LF, CRLF or CR", csv("a,b,y\n1,2,0\r\n\r3,4,1\r".getBytes(UTF_8)));
        rule("a last line or record without its end", csv(CSV.strip().getBytes(UTF_8)), binary(RuleFiles::cut));
        rule(
                "NaN or infinity",
                csv("a,b,y\n1,2,0\n3,nan,1\n".getBytes(UTF_8)),
                Map.of(
                        "RecordIO", in(RuleReaders.RECORD_IO, "r", RuleReaders.recordIo(1, Float.NaN, 3, 4)),
                        "TFRecord",
                                in(RuleReaders.TF_RECORD, "t", RuleReaders.tfRecord(1, 2, Float.NEGATIVE_INFINITY, 4)),
                        "IDX", in(RuleReaders.IDX, "i", RuleReaders.idx(IdxType.FLOAT, 1, 2, 3, Float.NaN)),
                        "NPY", in(RuleReaders.NPY_OF_NAN, "n", RuleReaders.npz(1, 2, 3, Float.NaN))));
        rule(
                "a row or record of another length",
                csv("a,b,y\n1,2,0\n3,4,5,1\n".getBytes(UTF_8)),
                Map.of(
                        "RecordIO", in(RuleReaders.RECORD_IO, "r", RuleReaders.recordIoOf(new float[] {1, 2, 3})),
                        "TFRecord", in(RuleReaders.TF_RECORD, "t", RuleReaders.tfRecordOf(new float[] {1})),
                        "IDX", in(RuleReaders.IDX, "i", RuleReaders.idx(IdxType.UNSIGNED_BYTE, 1, 2, 3, 4, 5, 6)),
                        "NPY", in(RuleReaders.NPY, "n", RuleReaders::npzOfAnotherShape)));
        rule("0 bytes", csv(new byte[0]), binary(bytes -> new byte[0]));
        rule(
                "0 bytes, beside other files of a folder",
                Map.of(
                        "CSV dataset", beside(RuleReaders.CSV_DATASET, CSV.getBytes(UTF_8), "part-1", new byte[0]),
                        "RecordIO", beside(RuleReaders.RECORD_IO, RuleReaders.recordIo(1, 2, 3, 4), "part-1"),
                        "TFRecord", beside(RuleReaders.TF_RECORD, RuleReaders.tfRecord(1, 2, 3, 4), "part-1")));
        rule(
                "a header or frame around no records",
                csv("a,b,y\n".getBytes(UTF_8)),
                Map.of(
                        "TFRecord", in(RuleReaders.TF_RECORD, "t", path -> gzip(path, new byte[0])),
                        "IDX", in(RuleReaders.IDX, "i", RuleReaders.idx(IdxType.UNSIGNED_BYTE)),
                        "NPY", in(RuleReaders.NPY, "n", RuleReaders.npz())));
        rule(
                "in a folder, with a name that starts with `_` or a dot",
                Map.of(
                        "CSV dataset",
                                beside(RuleReaders.CSV_DATASET, CSV.getBytes(UTF_8), "_SUCCESS", "x".getBytes(UTF_8)),
                        "RecordIO", beside(RuleReaders.RECORD_IO, RuleReaders.recordIo(1, 2, 3, 4), "_SUCCESS"),
                        "TFRecord", beside(RuleReaders.TF_RECORD, RuleReaders.tfRecord(1, 2, 3, 4), "_SUCCESS")));
        rule("compressed", csv(gzipped(CSV.getBytes(UTF_8))), compressed(bytes -> bytes));
        rule(
                "compressed in two parts, as `cat a.gz b.gz` gives",
                csv(RuleReaders.joined(gzipped("a,b,y\n1,2,0\n".getBytes(UTF_8)), gzipped("3,4,1\n".getBytes(UTF_8)))),
                inParts());
        rule("compressed and cut off", csv(cut(gzipped(CSV.getBytes(UTF_8)))), compressed(RuleFiles::cut));
        rule("compressed and damaged", csv(damaged(gzipped(CSV.getBytes(UTF_8)))), compressed(RuleFiles::damaged));
    }

    private static void rule(String name, Map<String, Case> some, Map<String, Case> others) {
        Map<String, Case> all = new TreeMap<>(some);
        all.putAll(others);
        RULES.put(name, all);
    }

    private static void rule(String name, Map<String, Case> cases) {
        rule(name, cases, Map.of());
    }

    static {
        rule(
                "a label of digits alone, above 2^24",
                csv("a,b,y\n1,2,16777217\n3,4,90071992547\n".getBytes(UTF_8)),
                Map.of(
                        "RecordIO", in(RuleReaders.RECORD_IO, "r", RuleReaders.recordIoOfLabel(16_777_217)),
                        "TFRecord", in(RuleReaders.TF_RECORD, "t", RuleReaders.tfRecordOfLabel(16_777_217)),
                        "IDX", in(RuleReaders.IDX_OF_LARGE_LABELS, "i", RuleReaders.idx(IdxType.INT, 1, 2, 3, 4))));
        rule(
                "a column whose different numbers all become one float",
                csv("a,b,y\n1,1700000000001,0\n3,1700000000002,1\n".getBytes(UTF_8)));
        rule("a column without a name", csv(",b,y\n1,2,0\n3,4,1\n".getBytes(UTF_8)));
        rule("a column with the name of an id", csv("row_id,b,y\n1,2,0\n3,4,1\n".getBytes(UTF_8)));
        rule("a separator at the end of each line", csv("a,y,\n1,0,\n3,1,\n".getBytes(UTF_8)));
        rule("a header with numbers, as `2019,2020,y`", csv("2019,2020,y\n1,2,0\n3,4,1\n".getBytes(UTF_8)));
        rule("two columns of one name", csv("a,a,y\n1,2,0\n3,4,1\n".getBytes(UTF_8)));
        rule("a number `NA`, `null`, `?` or of another missing word", csv("a,b,y\n1,2,0\n?,null,1\n".getBytes(UTF_8)));
        rule("a label of such a word", csv("a,b,y\n1,2,low\n3,4,NA\n5,6,high\n".getBytes(UTF_8)));
        rule(
                "an id of such a word",
                Map.of(
                        "CSV dataset",
                        in(
                                RuleReaders.CSV_IDS,
                                "a.csv",
                                path -> Files.writeString(path, "a,b,y\n1,2,0\nNA,None,1\n"))));
        rule("a quote that is never closed", csv("a,b,y\n1,2,0\n3,4,\"1\n5,6,0\n".getBytes(UTF_8)));
        rule("text behind a closing quote", csv("a,b,y\n1,2,0\n3,\"4\"x,1\n".getBytes(UTF_8)));
        rule("zero bytes within text", csv("a,b,y\n1,2,0\n3,\0004,1\n".getBytes(UTF_8)));
        rule("lines of spaces alone", csv("a,b,y\n  \n1,2,0\n\t\n3,4,1\n\n".getBytes(UTF_8)));
        rule("lines that start with `#`", csv("# of a station\na,b,y\n1,2,0\n3,4,1\n".getBytes(UTF_8)));
        rule("fields separated by semicolons or tabs", csv("a\tb;c\ty\n1\t2\t0\n3\t4\t1\n".getBytes(UTF_8)));
        rule("fields separated by anything else", csv("a|b|y\n1|2|0\n3|4|1\n".getBytes(UTF_8)));
        rule("names with semicolons, separated by commas", csv("a;b,c,y\n1,2,0\n3,4,1\n".getBytes(UTF_8)));
        rule("a first line `sep=;`, as Excel writes it", csv("sep=;\na;b;y\n1;2;0\n3;4;1\n".getBytes(UTF_8)));
    }

    private interface Change {
        byte[] of(byte[] bytes) throws IOException;
    }

    private static Map<String, Case> csv(byte[] text) {
        Made made = path -> Files.write(path, text);
        return Map.of(
                "CSV table", in(RuleReaders.CSV_TABLE, "a.csv", made),
                "CSV dataset", in(RuleReaders.CSV_DATASET, "a.csv", made));
    }

    private static Case in(Reader reader, String name, Made made) {
        return new Case(reader, folder -> made.in(folder.resolve(name)));
    }

    private static Made changed(Made made, Change change) {
        return path -> Files.write(path, change.of(Files.readAllBytes(made.in(path))));
    }

    private static Map<String, Case> binary(Change change) {
        return Map.of(
                "RecordIO", in(RuleReaders.RECORD_IO, "r", changed(RuleReaders.recordIo(1, 2, 3, 4), change)),
                "TFRecord", in(RuleReaders.TF_RECORD, "t", changed(RuleReaders.tfRecord(1, 2, 3, 4), change)),
                "IDX", in(RuleReaders.IDX, "i", changed(RuleReaders.idx(IdxType.UNSIGNED_BYTE, 1, 2, 3, 4), change)),
                "NPY", in(RuleReaders.NPY, "n", changed(RuleReaders.npz(1, 2, 3, 4), change)));
    }

    private static Map<String, Case> compressed(Change change) {
        return Map.of(
                "RecordIO", in(RuleReaders.RECORD_IO, "r", changed(RuleReaders::compressedRecordIo, change)),
                "TFRecord",
                        in(
                                RuleReaders.TF_RECORD,
                                "t",
                                changed(RuleReaders.tfRecord(1, 2, 3, 4), bytes -> change.of(gzipped(bytes)))),
                "IDX",
                        in(
                                RuleReaders.IDX,
                                "i",
                                changed(
                                        RuleReaders.idx(IdxType.UNSIGNED_BYTE, 1, 2, 3, 4),
                                        bytes -> change.of(gzipped(bytes)))),
                "NPY", in(RuleReaders.NPY, "n", changed(RuleReaders::compressedNpz, change)));
    }

    private static Map<String, Case> inParts() {
        Change twice = bytes -> RuleReaders.joined(
                gzipped(Arrays.copyOf(bytes, 9)), gzipped(Arrays.copyOfRange(bytes, 9, bytes.length)));
        return Map.of(
                "TFRecord", in(RuleReaders.TF_RECORD, "t", changed(RuleReaders.tfRecord(1, 2, 3, 4), twice)),
                "IDX", in(RuleReaders.IDX, "i", changed(RuleReaders.idx(IdxType.UNSIGNED_BYTE, 1, 2, 3, 4), twice)));
    }

    private static Case beside(Reader reader, byte[] part, String other, byte[] content) {
        return beside(reader, path -> Files.write(path, part), other, content);
    }

    private static Case beside(Reader reader, Made part, String other) {
        return beside(reader, part, other, new byte[0]);
    }

    private static Case beside(Reader reader, Made part, String other, byte[] content) {
        return new Case(reader, folder -> {
            part.in(folder.resolve("part-0"));
            Files.write(folder.resolve(other), content);
            return folder;
        });
    }

    private static byte[] marked(byte[] bytes) {
        return RuleReaders.joined(new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf}, bytes);
    }

    private static byte[] cut(byte[] bytes) {
        return Arrays.copyOf(bytes, bytes.length - 1);
    }

    private static byte[] damaged(byte[] bytes) {
        byte[] changed = bytes.clone();
        changed[changed.length / 2] ^= 0x55;
        return changed;
    }

    private static Path gzip(Path file, byte[] content) throws IOException {
        return Files.write(file, gzipped(content));
    }

    private static byte[] gzipped(byte[] content) {
        try (ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
            out.finish();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
