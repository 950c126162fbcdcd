package dev.edl.plan;

import dev.edl.spec.JobSpec;
import dev.edl.spec.RoleType;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** ElasticDL's names and labels; the object name of a role that can have only one replica has no number. */
record ElasticDlNames(JobSpec spec) implements ObjectNames {
    private static final String JOB = "elasticdl-job-name";
    private static final String TYPE = "elasticdl-replica-type";
    private static final String INDEX = "elasticdl-replica-index";

    @Override
    public String replica(RoleType type, String id) {
        String stem = "elasticdl-" + spec.name() + "-" + type.id();
        return type.single() ? stem : stem + "-" + id;
    }

    @Override
    public String host(RoleType type, String index) {
        return replica(type, index) + "." + spec.namespace() + ".svc";
    }

    @Override
    public Map<String, String> selector() {
        return SortedMapCopies.copy(Map.of("app", "elasticdl", JOB, spec.name()));
    }

    @Override
    public Map<String, String> labels(RoleType type, int index) {
        Map<String, String> labels = new TreeMap<>(selector());
        labels.put(TYPE, type.id());
        labels.put(INDEX, Integer.toString(index));
        return labels;
    }

    @Override
    public Set<String> keys() {
        return Set.of("app", JOB, TYPE, INDEX);
    }

    @Override
    public boolean freshIds() {
        return true;
    }
}
