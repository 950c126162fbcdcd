package dev.edl.parquet;

import dev.edl.parquet.ParquetColumns.Selected;
import dev.edl.parquet.ParquetColumns.Use;
import dev.edl.runtime.data.DataFiles;
import dev.edl.runtime.data.RecordDecodeException;
import dev.edl.runtime.model.Batch;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.impl.ColumnReaderImpl;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** Parquet file with the selected columns; decodes one row group at a time. Holds no open file. */
final class ParquetSource {
    private static final ParquetReadOptions OPTIONS = ParquetReadOptions.builder(new PlainParquetConfiguration())
            .withCodecFactory(new PageCodecs())
            .usePageChecksumVerification(true)
            .build();

    private final Path file;
    /** Size and time of the file whose footer was read. */
    private final String state;

    private final ParquetMetadata footer;
    private final ParquetColumns columns;
    private final List<ColumnDecoder> decoders;

    private ParquetSource(Path file, String state, ParquetMetadata footer, ParquetColumns columns) throws IOException {
        this.file = file;
        this.state = state;
        this.footer = footer;
        this.columns = columns;
        this.decoders = decoders();
    }

    /** Opens a file: reads its footer, and finds the columns. */
    static ParquetSource open(Path file, ParquetColumns columns) throws IOException {
        ChannelInputFile input = new ChannelInputFile(DataFiles.file(file, "Parquet"));
        String state = state(file);
        ParquetMetadata footer;
        try (ParquetFileReader reader = ParquetFileReader.open(input, OPTIONS)) {
            footer = reader.getFooter();
        } catch (IOException | RuntimeException e) {
            throw unreadable(file + ": cannot be read as a Parquet file", e);
        }
        return new ParquetSource(file, state, footer, columns);
    }

    private static String state(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        return attributes.size() + " bytes of " + attributes.lastModifiedTime();
    }

    private void requireUnchanged(String where) throws IOException {
        String now;
        try {
            now = state(file);
        } catch (NoSuchFileException e) {
            throw new IOException(where + " cannot be read: the file was removed after it was opened", e);
        }
        if (!now.equals(state)) {
            throw new IOException(where + " cannot be read: the file has changed since it was opened, from " + state
                    + " to " + now + "; open it again, and leave it unchanged during a training");
        }
    }

    private static IOException unreadable(String what, Exception e) {
        return e instanceof ClosedByInterruptException interrupt
                ? interrupt
                : new IOException(what + ": " + (e.getMessage() == null ? e : e.getMessage()), e);
    }

    Path file() {
        return file;
    }

    /** Returns the number of rows of each row group. */
    List<Long> rowGroups() throws IOException {
        List<Long> rows = new ArrayList<>();
        for (BlockMetaData group : footer.getBlocks()) {
            if (group.getRowCount() < 0) {
                throw new IOException(
                        file + ": row group " + rows.size() + " must have at least 0 rows, was " + group.getRowCount());
            }
            rows.add(group.getRowCount());
        }
        return rows;
    }

    private List<ColumnDecoder> decoders() throws IOException {
        List<ColumnDecoder> found = new ArrayList<>();
        Map<Use, Integer> places = new EnumMap<>(Use.class);
        for (Selected column : columns.columns()) {
            int place = places.getOrDefault(column.use(), 0);
            found.add(decoder(column, place));
            places.put(column.use(), place + column.values());
        }
        return found;
    }

    private ColumnDecoder decoder(Selected column, int place) throws IOException {
        MessageType schema = footer.getFileMetaData().getSchema();
        String name = column.name();
        if (!schema.containsField(name)) {
            throw new IOException(file + ": has no column \"" + name + "\"; has "
                    + schema.getFields().stream()
                            .limit(20)
                            .map(field -> "\"" + field.getName() + "\"")
                            .collect(Collectors.joining(", "))
                    + (schema.getFieldCount() > 20 ? " and " + (schema.getFieldCount() - 20) + " more" : ""));
        }
        Type top = schema.getType(name);
        List<ColumnDescriptor> leaves = schema.getColumns().stream()
                .filter(leaf -> leaf.getPath()[0].equals(name))
                .toList();
        int lists = leaves.size() == 1 ? leaves.get(0).getMaxRepetitionLevel() : 2;
        if (lists > 1 || (lists == 0 && !top.isPrimitive())) {
            throw wrong(
                    name, "has the nested type " + typeOf(top) + "; must have numbers or texts, or lists of numbers");
        }
        if (lists == 0 && column.width() > 0) {
            throw wrong(name, "has the type " + typeOf(top) + ", not lists; features(\"" + name + "\") reads it");
        }
        if (lists == 1 && column.width() == 0) {
            throw wrong(
                    name,
                    "has lists; "
                            + (column.use() == Use.FEATURE
                                    ? "list(\"" + name + "\", 64) reads lists of 64 numbers"
                                    : "only features can be lists"));
        }
        ColumnDescriptor leaf = leaves.get(0);
        ColumnValue value = ColumnValue.of(leaf.getPrimitiveType());
        boolean text = ColumnDecoder.isText(column, columns.classes());
        if (value == null || (text ? !value.isText() : value == ColumnValue.TEXT)) {
            throw wrong(
                    name,
                    "has the type " + typeOf(leaf.getPrimitiveType()) + "; must have "
                            + (text
                                    ? "texts, whole numbers or booleans"
                                    : "numbers or booleans; hashedIds and label with classes read texts"));
        }
        int present = lists == 0 ? 0 : levelOfElements(schema, leaf.getPath());
        return new ColumnDecoder(
                column,
                place,
                leaf,
                value,
                present,
                top.isRepetition(Type.Repetition.OPTIONAL) ? 1 : 0,
                columns.classes(),
                columns.missing());
    }

    /** Returns the definition level of the repeated field on a path, from which a list has an element. */
    private static int levelOfElements(MessageType schema, String[] path) {
        for (int length = 1; ; length++) {
            String[] start = Arrays.copyOf(path, length);
            if (schema.getType(start).isRepetition(Type.Repetition.REPEATED)) {
                return schema.getMaxDefinitionLevel(start);
            }
        }
    }

    private IOException wrong(String column, String problem) {
        return new IOException(file + ": column \"" + column + "\" " + problem);
    }

    private static String typeOf(Type type) {
        String text = type.toString();
        int line = text.indexOf('\n');
        return line < 0 ? text : text.substring(0, line) + " ... }";
    }

    /** Returns the size of a decoded row group in bytes. */
    long decodedBytes(int group) {
        long row = Float.BYTES * ((long) columns.count(Use.FEATURE) + columns.count(Use.LABEL))
                + (long) Long.BYTES * columns.count(Use.ID)
                // The batch keeps the number of each record, and a reference.
                + 2L * Long.BYTES;
        return Math.multiplyHigh(row, footer.getBlocks().get(group).getRowCount()) != 0
                ? Long.MAX_VALUE
                : row * footer.getBlocks().get(group).getRowCount();
    }

    /** Returns the rows of a row group. */
    Batch decode(int group) throws IOException {
        long rows = footer.getBlocks().get(group).getRowCount();
        String where = file + ": row group " + group;
        int widest = Math.max(columns.count(Use.FEATURE), columns.count(Use.ID));
        if (decodedBytes(group) > Runtime.getRuntime().maxMemory() / 2 || rows > Integer.MAX_VALUE / widest) {
            throw new IOException(where + " has " + rows + " rows, which would take " + (decodedBytes(group) >> 20)
                    + " MiB in one array or more; at most half of the JVM's "
                    + (Runtime.getRuntime().maxMemory() >> 20)
                    + " MiB, and 2^31 values, are allowed; write smaller row groups, for example of 100000 rows");
        }
        Batch batch = new Batch(
                Math.toIntExact(rows),
                columns.count(Use.FEATURE),
                columns.count(Use.LABEL),
                columns.count(Use.ID),
                List.of());
        for (int row = 0; row < rows; row++) {
            batch.row();
        }
        ChannelInputFile input = new ChannelInputFile(file);
        String column = "";
        try (ParquetFileReader reader = ParquetFileReader.open(input, footer, OPTIONS, input.newStream())) {
            // One column at a time: an error names it, and only its pages are in memory.
            for (ColumnDecoder decoder : decoders) {
                column = ", " + decoder.name();
                ColumnDescriptor descriptor = decoder.descriptor();
                reader.setRequestedSchema(List.of(descriptor));
                PageReader values = reader.readRowGroup(group).getPageReader(descriptor);
                decoder.decode(
                        new ColumnReaderImpl(descriptor, values, new PrimitiveConverter() {}, null),
                        values.getTotalValueCount(),
                        batch);
            }
        } catch (ColumnDecoder.ValueException e) {
            requireUnchanged(where + column);
            throw new RecordDecodeException(
                    file, recordsBefore(group) + e.row(), column.substring(2) + " " + e.getMessage());
        } catch (IOException | RuntimeException e) {
            requireUnchanged(where + column);
            throw unreadable(where + column + " cannot be read", e);
        }
        requireUnchanged(where);
        return batch;
    }

    private long recordsBefore(int group) {
        return footer.getBlocks().stream()
                .limit(group)
                .mapToLong(BlockMetaData::getRowCount)
                .sum();
    }
}
