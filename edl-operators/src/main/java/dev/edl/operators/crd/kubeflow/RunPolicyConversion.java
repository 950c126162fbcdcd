package dev.edl.operators.crd.kubeflow;

import dev.edl.Job;
import dev.edl.internal.text.DurationText;
import dev.edl.operators.crd.internal.ConversionReport;
import dev.edl.operators.crd.internal.CustomObjectFieldReader;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.RunPolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Conversion between Kubeflow's {@code runPolicy} and a job's run policy. The deadline has 64 bits there, every other
 * number 32, and the API server accepts negative numbers.
 *
 * @see <a href="https://github.com/kubeflow/trainer/blob/v1.8.1/pkg/apis/kubeflow.org/v1/common_types.go">Kubeflow
 *     training operator 1.8.1: RunPolicy</a>
 */
final class RunPolicyConversion {
    static final List<String> KEYS = List.of(
            "cleanPodPolicy",
            "ttlSecondsAfterFinished",
            "activeDeadlineSeconds",
            "backoffLimit",
            "schedulingPolicy",
            "suspend",
            "managedBy");

    /** Keys of {@code runPolicy} that the first Kubeflow operators had in the spec itself. */
    static final List<String> INLINE = KEYS.subList(0, 5);

    private static final List<String> CLEAN = List.of("None", "Running", "All");

    private RunPolicyConversion() {}

    static Map<String, Object> write(Job job, ConversionReport report) {
        RunPolicy policy = job.spec().policy();
        Map<String, Object> written = new LinkedHashMap<>();
        written.put(
                "cleanPodPolicy",
                switch (policy.cleanup()) {
                    case NONE -> "None";
                    case RUNNING -> "Running";
                    case ALL -> "All";
                });
        policy.ttl()
                .ifPresent(
                        ttl -> written.put("ttlSecondsAfterFinished", seconds("ttl", ttl, Integer.MAX_VALUE, report)));
        policy.deadline()
                .ifPresent(deadline ->
                        written.put("activeDeadlineSeconds", seconds("deadline", deadline, Long.MAX_VALUE, report)));
        return written;
    }

    /** Returns the time in whole seconds, rounded up and at most {@code most}; reports a loss if the value differs. */
    private static long seconds(String path, Duration time, long most, ConversionReport report) {
        long seconds = time.toSeconds() + (time.toNanosPart() > 0 ? 1 : 0);
        if (time.toNanosPart() > 0) {
            report.loss(path, time.toString(), "there are whole seconds only; it is rounded up");
        }
        if (seconds > most) {
            report.loss(path, time.toString(), "it is at most " + most + " seconds there");
        }
        return Math.min(seconds, most);
    }

    /**
     * Reads the {@link #INLINE} keys in the spec itself. Reports a mistake if {@code runPolicy} has another value for
     * the same key.
     */
    static void readInline(CustomObjectFieldReader spec, RunPolicy.Builder policy) {
        spec.map("runPolicy")
                .ifPresent(given -> INLINE.stream()
                        .filter(key ->
                                spec.has(key) && given.has(key) && !Objects.equals(spec.raw(key), given.raw(key)))
                        .forEach(key ->
                                spec.wrong(key, "is also set in runPolicy, to another value; set it only there")));
        read(spec, policy);
    }

    /**
     * Reads a map with the keys of {@code runPolicy}: {@code runPolicy} itself, or a spec that has these keys inline.
     */
    static void read(CustomObjectFieldReader fields, RunPolicy.Builder policy) {
        fields.filled("cleanPodPolicy").ifPresent(word -> clean(fields, word, policy));
        String ttl = "ttlSecondsAfterFinished";
        fields.whole(ttl, number -> policy.ttl(seconds(fields, ttl, number, 0)));
        String deadline = "activeDeadlineSeconds";
        fields.wholeLong(deadline, number -> policy.deadline(seconds(fields, deadline, number, 1)));
        fields.loseWhole("a job limits the relaunches of each replica, and not their sum", "backoffLimit");
        fields.map("schedulingPolicy").ifPresent(scheduling -> {
            scheduling.checkWhole("minAvailable", "scheduleTimeoutSeconds");
            scheduling.checkAmounts("minResources");
            fields.lose("a job has no scheduling policy", "schedulingPolicy");
        });
        fields.loseUnless("suspend", false, "a job is not suspended");
        fields.loseUnless("managedBy", "kubeflow.org/training-operator", "a job does not choose its operator");
    }

    private static void clean(CustomObjectFieldReader fields, String word, RunPolicy.Builder policy) {
        switch (word) {
            case "None" -> policy.cleanup(CleanupPolicy.NONE);
            case "Running" -> policy.cleanup(CleanupPolicy.RUNNING);
            case "All" -> policy.cleanup(CleanupPolicy.ALL);
            default -> fields.unknownWord("cleanPodPolicy", word, CLEAN);
        }
    }

    /**
     * Returns the time as a job can have it: at least {@code least} seconds, and at most the longest of a job. Reports
     * a loss if that is another time. The operator ends a job with a deadline of 0 or less at once, and deletes a job
     * with a negative time to live at its end.
     */
    private static Duration seconds(CustomObjectFieldReader fields, String key, long seconds, long least) {
        long most = DurationText.LONGEST.toSeconds();
        long read = Math.max(least, Math.min(seconds, most));
        if (read != seconds) {
            fields.lose("a job has from " + least + " to " + most + " seconds; it is read as " + read, key);
        }
        return Duration.ofSeconds(read);
    }
}
