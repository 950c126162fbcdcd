package dev.edl.plan;

import dev.edl.spec.RoleType;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Names and labels of et-operator; only the object names of workers have a number. */
record EtNames(String job) implements ObjectNames {
    private static final String JOB = "training-job-name";
    private static final String GROUP = "group-name";
    private static final String ROLE = "training-job-role";
    private static final String INDEX = "replica-index";

    @Override
    public String replica(RoleType type, String id) {
        return job + "-" + type.id() + (type.single() ? "" : "-" + id);
    }

    @Override
    public Map<String, String> selector() {
        return SortedMapCopies.copy(Map.of(GROUP, "kai.alibabacloud.com", JOB, job));
    }

    @Override
    public Map<String, String> labels(RoleType type, int index) {
        Map<String, String> labels = new TreeMap<>(selector());
        labels.put(ROLE, type.id());
        if (!type.single()) {
            labels.put(INDEX, Integer.toString(index));
        }
        return labels;
    }

    @Override
    public Set<String> keys() {
        return Set.of(GROUP, JOB, ROLE, INDEX);
    }
}
