package dev.edl.runtime.ps;

import dev.edl.runtime.Parameter;
import dev.edl.runtime.ParameterLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The file that makes shard files a checkpoint: whose parameters they are, and the seal of each.
 *
 * @param journal what the caller gave, for example where its journal stood
 * @param seals of the shard files, in their order
 */
record Manifest(ParameterLayout layout, Map<String, String> journal, List<CheckedOutput.Seal> seals) {
    static final String FILE = "manifest";

    /** "EDLM" as it stands in the file. */
    private static final int MAGIC = 0x4d4c4445;

    private static final int FORMAT = 1;

    void write(CheckedOutput out) throws IOException {
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
        Map<String, String> sorted = new TreeMap<>(journal);
        out.putInt(sorted.size());
        for (var entry : sorted.entrySet()) {
            out.putString(entry.getKey());
            out.putString(entry.getValue());
        }
        out.putInt(seals.size());
        for (CheckedOutput.Seal seal : seals) {
            out.putLong(seal.bytes());
            out.putInt(seal.crc());
        }
    }

    static Manifest read(CheckedInput in) throws IOException {
        int magic = in.getInt();
        if (magic != MAGIC) {
            throw in.damaged(String.format("is no manifest: it begins with %08x, not %08x", magic, MAGIC));
        }
        int format = in.getInt();
        if (format != FORMAT) {
            throw in.damaged("has format " + format + ", this version of EDL reads " + FORMAT);
        }
        ParameterLayout.Builder layout = ParameterLayout.builder();
        for (int n = in.getInt(); n > 0; n--) {
            String name = in.getString();
            int[] shape = new int[in.getInt()];
            for (int i = 0; i < shape.length; i++) {
                shape[i] = in.getInt();
            }
            layout.add(name, shape);
        }
        Map<String, String> journal = new TreeMap<>();
        for (int n = in.getInt(); n > 0; n--) {
            String key = in.getString();
            journal.put(key, in.getString());
        }
        List<CheckedOutput.Seal> seals = new ArrayList<>();
        for (int n = in.getInt(); n > 0; n--) {
            seals.add(new CheckedOutput.Seal(in.getLong(), in.getInt()));
        }
        return new Manifest(layout.build(), journal, List.copyOf(seals));
    }
}
