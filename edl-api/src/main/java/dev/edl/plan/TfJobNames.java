package dev.edl.plan;

import dev.edl.spec.RoleType;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Names and labels of the TfJob operator at the end of 2017. Object names contain the first 40 characters of the job's
 * name; labels contain the whole name.
 */
record TfJobNames(String job, String runId) implements ObjectNames {
    private static final int KEPT = 40;
    private static final String MARKER = "tensorflow.org";

    @Override
    public String replica(RoleType type, String id) {
        String stem = job.substring(0, Math.min(job.length(), KEPT));
        return stem + "-" + type.id() + "-" + runId + "-" + id;
    }

    @Override
    public Map<String, String> selector() {
        return SortedMapCopies.copy(Map.of(MARKER, "", "runtime_id", runId, "tf_job_name", job));
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
        return Set.of(MARKER, "runtime_id", "tf_job_name", "job_type", "task_index");
    }
}
