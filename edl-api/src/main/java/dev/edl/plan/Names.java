package dev.edl.plan;

import dev.edl.RoleType;
import dev.edl.spec.JobSpec;
import java.util.Map;
import java.util.TreeMap;

/** Names and labels of ElasticDL's objects. */
final class Names {
    static final String JOB = "elasticdl-job-name";
    static final String TYPE = "elasticdl-replica-type";
    static final String INDEX = "elasticdl-replica-index";

    private Names() {}

    static String replica(String job, RoleType type, int id) {
        String stem = "elasticdl-" + job + "-" + type.id();
        return type.single() ? stem : stem + "-" + id;
    }

    static Map<String, String> selector(String job) {
        return Sorted.copy(Map.of("app", "elasticdl", JOB, job));
    }

    static Map<String, String> labels(JobSpec spec, RoleType type, int index) {
        Map<String, String> labels = new TreeMap<>(spec.labels());
        labels.putAll(selector(spec.name()));
        labels.put(TYPE, type.id());
        labels.put(INDEX, Integer.toString(index));
        return labels;
    }
}
