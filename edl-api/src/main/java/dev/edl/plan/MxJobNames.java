package dev.edl.plan;

import dev.edl.spec.RoleType;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Names and labels of the first MxJob operator. No label has the job's name; the run id distinguishes jobs. */
record MxJobNames(String job, String runId) implements ObjectNames {
    private static final String MARKER = "mxnet.mlkube.io";

    @Override
    public String replica(RoleType type, String id) {
        return job + "-" + type.id() + "-" + runId + "-" + id;
    }

    @Override
    public Map<String, String> selector() {
        return SortedMapCopies.copy(Map.of(MARKER, "", "runtime_id", runId));
    }

    @Override
    public Map<String, String> labels(RoleType type, int index) {
        Map<String, String> labels = new TreeMap<>(selector());
        labels.put("job_type", type.id().toUpperCase(Locale.ROOT));
        labels.put("task_index", Integer.toString(index));
        return labels;
    }

    @Override
    public Set<String> keys() {
        return Set.of(MARKER, "runtime_id", "job_type", "task_index");
    }
}
