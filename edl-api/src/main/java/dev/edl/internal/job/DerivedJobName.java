package dev.edl.internal.job;

import dev.edl.internal.text.DataNode;
import dev.edl.internal.text.JsonText;
import dev.edl.spec.Digest;
import dev.edl.spec.JobSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Derived name of a job without one: {@code job-} and 8 hexadecimal digits of a digest of the rest of the job. The same
 * job has the same name on every machine.
 */
public final class DerivedJobName {
    private DerivedJobName() {}

    /** Returns the name derived from a job's content. The spec's own name does not affect it. */
    public static String of(JobSpec spec) {
        Map<String, DataNode> content = new LinkedHashMap<>(
                JobWriter.write(JobSpec.builder().from(spec).name("").build()).nodes());
        // Roles have an order; equal maps of labels or variables may differ in theirs.
        content.replaceAll((key, node) -> key.equals("roles") ? eachSorted(node) : sorted(node));
        return "job-" + Digest.hex8(JsonText.print(new DataNode.Mapping(content)));
    }

    private static DataNode eachSorted(DataNode node) {
        return node instanceof DataNode.Mapping mapping
                ? new DataNode.Mapping(mapped(mapping, new LinkedHashMap<>()))
                : node;
    }

    private static DataNode sorted(DataNode node) {
        return node instanceof DataNode.Mapping mapping ? new DataNode.Mapping(mapped(mapping, new TreeMap<>())) : node;
    }

    private static Map<String, DataNode> mapped(DataNode.Mapping mapping, Map<String, DataNode> into) {
        mapping.nodes().forEach((key, node) -> into.put(key, sorted(node)));
        return into;
    }
}
