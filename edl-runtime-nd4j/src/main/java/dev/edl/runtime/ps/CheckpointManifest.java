package dev.edl.runtime.ps;

import dev.edl.runtime.initializers.Initializer;
import dev.edl.runtime.model.Parameter;
import dev.edl.runtime.model.ParameterLayout;
import dev.edl.runtime.ps.files.ChecksummedInput;
import dev.edl.runtime.ps.files.ChecksummedOutput;
import dev.edl.runtime.ps.rows.TableSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The manifest of a checkpoint: the parameters of its shard files, and the seal of each file.
 *
 * @param tables embedding tables whose rows the shards hold
 * @param metadata opaque entries of the store's caller
 * @param seals size and checksum of each shard file, in the order of the shards
 */
record CheckpointManifest(
        ParameterLayout layout,
        List<TableSpec> tables,
        Map<String, String> metadata,
        List<ChecksummedOutput.Seal> seals) {
    static final String FILE = "manifest";

    /** "EDLM" in the file. */
    private static final int MAGIC = 0x4d4c4445;

    private static final int FORMAT = 2;

    void write(ChecksummedOutput out) throws IOException {
        out.putInt(MAGIC);
        out.putInt(FORMAT);
        out.putInt(layout.parameters().size());
        for (Parameter parameter : layout.parameters()) {
            out.putString(parameter.name());
            out.putInt(parameter.shape().size());
            for (int dimension : parameter.shape()) {
                out.putInt(dimension);
            }
        }
        out.putInt(layout.trained());
        out.putInt(tables.size());
        for (TableSpec table : tables) {
            out.putString(table.name());
            out.putInt(table.dimension());
            out.putString(table.initializer().toString());
            out.putLong(table.seed());
        }
        Map<String, String> sorted = new TreeMap<>(metadata);
        out.putInt(sorted.size());
        for (var entry : sorted.entrySet()) {
            out.putString(entry.getKey());
            out.putString(entry.getValue());
        }
        out.putInt(seals.size());
        for (ChecksummedOutput.Seal seal : seals) {
            out.putLong(seal.bytes());
            out.putInt(seal.crc());
        }
    }

    static CheckpointManifest read(ChecksummedInput in) throws IOException {
        int magic = in.getInt();
        if (magic != MAGIC) {
            throw in.damaged(String.format("is no manifest: it begins with %08x, not %08x", magic, MAGIC));
        }
        int format = in.getInt();
        if (format != FORMAT) {
            throw in.damaged("has format " + format + ", but this version of EDL reads " + FORMAT);
        }
        Map<String, int[]> shapes = new LinkedHashMap<>();
        for (int n = in.getInt(); n > 0; n--) {
            String name = in.getString();
            int[] shape = new int[in.getInt()];
            for (int i = 0; i < shape.length; i++) {
                shape[i] = in.getInt();
            }
            shapes.put(name, shape);
        }
        int trained = in.getInt();
        List<TableSpec> tables = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            tables.add(new TableSpec(in.getString(), in.getInt(), Initializer.parse(in.getString()), in.getLong()));
        }
        Map<String, String> metadata = new TreeMap<>();
        for (int n = in.getInt(); n > 0; n--) {
            String key = in.getString();
            metadata.put(key, in.getString());
        }
        List<ChecksummedOutput.Seal> seals = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            seals.add(new ChecksummedOutput.Seal(in.getLong(), in.getInt()));
        }
        return new CheckpointManifest(layout(shapes, trained), List.copyOf(tables), metadata, List.copyOf(seals));
    }

    private static ParameterLayout layout(Map<String, int[]> shapes, int trained) {
        ParameterLayout.Builder layout = ParameterLayout.builder();
        int offset = 0;
        for (var parameter : shapes.entrySet()) {
            if (offset < trained) {
                layout.add(parameter.getKey(), parameter.getValue());
            } else {
                layout.addState(parameter.getKey(), parameter.getValue());
            }
            offset += Arrays.stream(parameter.getValue()).reduce(1, Math::multiplyExact);
        }
        return layout.build();
    }
}
