package dev.edl.exec.internal;

import dev.edl.exec.ReplicaStatus;
import java.util.ArrayList;
import java.util.List;

/** Table in the format of {@code kubectl get pods}: three spaces between columns, always with a header. */
public final class KubectlTable {
    private KubectlTable() {}

    public static String of(List<ReplicaStatus> replicas) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("NAME", "READY", "STATUS", "RESTARTS", "AGE"));
        for (ReplicaStatus r : replicas) {
            rows.add(List.of(
                    r.name(), r.ready(), r.status(), Integer.toString(r.restarts()), HumanDuration.of(r.age())));
        }
        int[] widths = new int[5];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder out = new StringBuilder();
        for (List<String> row : rows) {
            for (int i = 0; i < 4; i++) {
                out.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 3));
            }
            out.append(row.get(4)).append('\n');
        }
        return out.toString();
    }
}
