package dev.edl.internal.job;

import dev.edl.internal.text.JsonText;
import dev.edl.internal.text.Node;
import dev.edl.spec.Digest;
import dev.edl.spec.JobSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The name of a job that was given none: {@code job-} and 8 hexadecimal digits of a digest of everything else in the job, so
 * that the same job has the same name on every machine.
 */
public final class JobName {
    private JobName() {}

    /** Returns the name of a job's content; the name that the spec has is no part of it. */
    public static String of(JobSpec spec) {
        Map<String, Node> content = new LinkedHashMap<>(
                JobWriter.write(JobSpec.builder().from(spec).name("").build()).nodes());
        // Roles have an order; equal maps of labels or variables may differ in theirs.
        content.replaceAll((key, node) -> key.equals("roles") ? eachSorted(node) : sorted(node));
        return "job-" + Digest.hex8(JsonText.print(new Node.Fields(content)));
    }

    private static Node eachSorted(Node node) {
        return node instanceof Node.Fields fields ? new Node.Fields(mapped(fields, new LinkedHashMap<>())) : node;
    }

    private static Node sorted(Node node) {
        return node instanceof Node.Fields fields ? new Node.Fields(mapped(fields, new TreeMap<>())) : node;
    }

    private static Map<String, Node> mapped(Node.Fields fields, Map<String, Node> into) {
        fields.nodes().forEach((key, node) -> into.put(key, sorted(node)));
        return into;
    }
}
