package dev.edl.operators.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.operators.crd.et.ScaleRequest;
import dev.edl.operators.crd.et.ScaleRequestReadResult;
import dev.edl.operators.crd.et.ScaleRequests;
import dev.edl.operators.crd.et.TrainingJobStatuses;
import dev.edl.operators.crd.et.TrainingJobs;
import dev.edl.operators.crd.kinds.CustomResources;
import dev.edl.operators.crd.kubeflow.KubeflowTfJobs;
import dev.edl.spec.RunPolicy;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Table of the numeric fields of each kind. Each has the range of its own type, not that of another field. Sources:
 *
 * <ul>
 *   <li>{@link #KUBEFLOW}: {@code pkg/apis/kubeflow.org/v1/*_types.go}, whose numbers are those of v1.7;
 *   <li>{@link #MPI}: {@code pkg/apis/kubeflow/v2beta1/types.go};
 *   <li>{@link #MX}: {@code pkg/apis/mxnet/v1/types.go}, with the run policy inline;
 *   <li>{@link #ET}: {@code config/crd/bases}, with formats and minimums;
 *   <li>{@link #CORE}: {@code core/v1/types.go}, {@code meta/v1/types.go}, {@code intstr.IntOrString};
 *   <li>{@link #PORTS}: {@code pkg/apis/core/validation}, which a pod or Service of the operator has to pass.
 * </ul>
 */
class NumbersOfResourcesTest {
    private static final String KUBEFLOW = "github.com/kubeflow/training-operator v1.8.1";
    private static final String MPI = "github.com/kubeflow/mpi-operator 013fa15";
    private static final String MX = "github.com/kubeflow/mxnet-operator 5b43729";
    private static final String ET = "github.com/AliyunContainerService/et-operator 3c59daa";
    private static final String CORE = "k8s.io/api v0.36.3";
    private static final String PORTS = "k8s.io/kubernetes v1.36.3";

    private static final Range INT32 = new Range(Integer.MIN_VALUE, Integer.MAX_VALUE);
    private static final Range INT64 = new Range(Long.MIN_VALUE, Long.MAX_VALUE);
    private static final Range PORT = new Range(1, 65_535);
    private static final String TEMPLATE = "spec.tfReplicaSpecs.Worker.template.";
    private static final String METRIC = "spec.elasticPolicy.metrics[0].resource.target.";
    private static final String PROBE = TEMPLATE + "spec.containers[0].livenessProbe.";

    private static final String SELECTOR = "selector: {name: mnist}, ";

    record Range(long min, long max) {
        BigInteger below() {
            return BigInteger.valueOf(min).subtract(BigInteger.ONE);
        }

        BigInteger above() {
            return BigInteger.valueOf(max).add(BigInteger.ONE);
        }
    }

    record Row(String kind, String path, Range range, String source) {}

    static final List<Row> ROWS = List.of(
            new Row("TFJob", "metadata.generation", INT64, CORE),
            new Row("TFJob", "metadata.deletionGracePeriodSeconds", INT64, CORE),
            new Row("TFJob", "spec.runPolicy.ttlSecondsAfterFinished", INT32, KUBEFLOW),
            new Row("TFJob", "spec.runPolicy.activeDeadlineSeconds", INT64, KUBEFLOW),
            new Row("TFJob", "spec.runPolicy.backoffLimit", INT32, KUBEFLOW),
            new Row("TFJob", "spec.runPolicy.schedulingPolicy.minAvailable", INT32, KUBEFLOW),
            new Row("TFJob", "spec.runPolicy.schedulingPolicy.scheduleTimeoutSeconds", INT32, KUBEFLOW),
            new Row("PyTorchJob", "spec.elasticPolicy.rdzvPort", INT32, KUBEFLOW),
            new Row("PyTorchJob", "spec.elasticPolicy.nProcPerNode", INT32, KUBEFLOW),
            new Row("PyTorchJob", "spec.elasticPolicy.maxRestarts", INT32, KUBEFLOW),
            new Row("PyTorchJob", METRIC + "averageUtilization", INT32, KUBEFLOW),
            new Row("MXJob", "spec.ttlSecondsAfterFinished", INT32, MX),
            new Row("MXJob", "spec.activeDeadlineSeconds", INT64, MX),
            new Row("MXJob", "spec.backoffLimit", INT32, MX),
            new Row("MPIJob", "spec.slotsPerWorker", INT32, KUBEFLOW),
            new Row("MPIJob", "spec.runPolicy.activeDeadlineSeconds", INT64, KUBEFLOW),
            new Row("MPIJobV2", "spec.slotsPerWorker", INT32, MPI),
            new Row("MPIJobV2", "spec.runPolicy.activeDeadlineSeconds", INT64, MPI),
            new Row("TfJob", "spec.replicaSpecs[0].tfPort", PORT, PORTS),
            new Row("MxJob", "spec.replicaSpecs[0].PsRootPort", PORT, PORTS),
            new Row("TrainingJob", "spec.slotsPerWorker", INT32, ET),
            new Row("TrainingJob", "spec.backoffLimit", new Range(0, Integer.MAX_VALUE), ET),
            new Row("TrainingJob", "status.restartCount", INT32, ET),
            new Row("ScaleIn", "spec.timeout", INT32, ET),
            new Row("ScaleIn", "spec.backoffLimit", INT32, ET),
            new Row("ScaleOut", "spec.timeout", INT32, ET),
            new Row("ScaleOut", "spec.backoffLimit", INT32, ET),
            new Row("TFJob", TEMPLATE + "metadata.generation", INT64, CORE),
            new Row("TFJob", TEMPLATE + "spec.terminationGracePeriodSeconds", INT64, CORE),
            new Row("TFJob", TEMPLATE + "spec.activeDeadlineSeconds", INT64, CORE),
            new Row("TFJob", TEMPLATE + "spec.priority", INT32, CORE),
            new Row("TFJob", TEMPLATE + "spec.securityContext.runAsUser", INT64, CORE),
            new Row("TFJob", TEMPLATE + "spec.tolerations[0].tolerationSeconds", INT64, CORE),
            new Row("TFJob", TEMPLATE + "spec.volumes[0].configMap.defaultMode", INT32, CORE),
            new Row("TFJob", TEMPLATE + "spec.containers[0].ports[0].hostPort", INT32, CORE),
            new Row("TFJob", TEMPLATE + "spec.containers[0].ports[0].containerPort", PORT, PORTS),
            new Row("TFJob", PROBE + "initialDelaySeconds", INT32, CORE),
            new Row("TFJob", PROBE + "timeoutSeconds", INT32, CORE),
            new Row("TFJob", PROBE + "periodSeconds", INT32, CORE),
            new Row("TFJob", PROBE + "successThreshold", INT32, CORE),
            new Row("TFJob", PROBE + "failureThreshold", INT32, CORE),
            new Row("TFJob", PROBE + "terminationGracePeriodSeconds", INT64, CORE),
            new Row("TFJob", PROBE + "httpGet.port", INT32, CORE),
            new Row("TFJob", PROBE + "grpc.port", INT32, CORE));

    /** Fields that a rule of the job or a message of the operator restricts within their type. */
    static final List<Row> RULED = List.of(
            new Row("TFJob", "spec.tfReplicaSpecs.Worker.replicas", INT32, KUBEFLOW),
            new Row("PyTorchJob", "spec.pytorchReplicaSpecs.Worker.replicas", INT32, KUBEFLOW),
            new Row("PyTorchJob", "spec.elasticPolicy.minReplicas", INT32, KUBEFLOW),
            new Row("PyTorchJob", "spec.elasticPolicy.maxReplicas", INT32, KUBEFLOW),
            new Row("MXJob", "spec.mxReplicaSpecs.Worker.replicas", INT32, MX),
            new Row("MPIJobV2", "spec.mpiReplicaSpecs.Worker.replicas", INT32, MPI),
            new Row("TfJob", "spec.replicaSpecs[0].replicas", INT32, "github.com/tensorflow/k8s 47a74b7"),
            new Row("TfJob", "spec.terminationPolicy.chief.replicaIndex", INT32, "github.com/tensorflow/k8s 47a74b7"),
            new Row("MxJob", "spec.replicaSpecs[0].replicas", INT32, "github.com/deepinsight/mxnet-operator 5b57310"),
            new Row("TrainingJob", "spec.etReplicaSpecs.launcher.replicas", INT32, ET),
            new Row("TrainingJob", "spec.etReplicaSpecs.worker.replicas", INT32, ET),
            new Row("TrainingJob", "spec.etReplicaSpecs.worker.minReplicas", INT32, ET),
            new Row("TrainingJob", "spec.etReplicaSpecs.worker.maxReplicas", INT32, ET),
            new Row("ScaleIn", "spec.toDelete.count", INT32, ET),
            new Row("ScaleOut", "spec.toAdd.count", INT32, ET));

    private static CustomObject base(String kind) {
        String both = "{Launcher: {ROLE}, Worker: {ROLE}}";
        return switch (kind) {
            case "TFJob" -> resource("kubeflow.org/v1", kind, "tensorflow", "tfReplicaSpecs: {Worker: {ROLE}}");
            case "PyTorchJob" -> resource("kubeflow.org/v1", kind, "pytorch", "pytorchReplicaSpecs: {Worker: {ROLE}}");
            case "MXJob" ->
                resource("kubeflow.org/v1", kind, "mxnet", "jobMode: MXTrain, mxReplicaSpecs: {Worker: {ROLE}}");
            case "MPIJob" -> resource("kubeflow.org/v1", kind, "mpi", "mpiReplicaSpecs: " + both);
            case "MPIJobV2" -> resource("kubeflow.org/v2beta1", "MPIJob", "mpi", "mpiReplicaSpecs: " + both);
            case "TfJob" ->
                resource(
                        "tensorflow.org/v1alpha1",
                        kind,
                        "tensorflow",
                        "replicaSpecs: [{tfReplicaType: WORKER, ROLE}],"
                                + " terminationPolicy: {chief: {replicaName: WORKER}}");
            case "MxJob" ->
                resource("mxnet.mlkube.io/v1beta1", kind, "mxnet", "jobMode: local, replicaSpecs: [{ROLE}]");
            case "TrainingJob" ->
                resource(
                        "kai.alibabacloud.com/v1alpha1",
                        kind,
                        "main",
                        "etReplicaSpecs: {launcher: {ROLE}, worker: {ROLE}}");
            case "ScaleIn" -> resource("kai.alibabacloud.com/v1alpha1", kind, "", SELECTOR + "toDelete: {count: 1}");
            default -> resource("kai.alibabacloud.com/v1alpha1", kind, "", SELECTOR + "toAdd: {count: 1}");
        };
    }

    private static CustomObject resource(String version, String kind, String container, String spec) {
        String role = "replicas: 1, template: {spec: {containers: [{name: " + container
                + ", image: a/b:1, ports: [{name: tfjob-port, containerPort: 2222}]}],"
                + " volumes: [{name: v, configMap: {name: c}}]}}";
        return CustomObject.fromYaml("apiVersion: " + version + "\nkind: " + kind
                + "\nmetadata: {name: a}\nstatus: {phase: Failed}\nspec: {" + spec.replace("ROLE", role) + "}\n");
    }

    /** Reads the row's resource with a value of the row's field. */
    private static Object read(Row row, Object value) {
        List<String> path = Arrays.asList(row.path().replace("[0]", ".0").split("\\."));
        @SuppressWarnings("unchecked")
        CustomObject object =
                CustomObject.of((Map<String, Object>) with(base(row.kind()).fields(), path, value));
        if (row.path().startsWith("status.")) {
            return TrainingJobStatuses.read(object);
        }
        return row.kind().startsWith("Scale") ? ScaleRequests.read(object) : CustomResources.read(object);
    }

    private static Object with(@Nullable Object data, List<String> path, Object value) {
        if (path.isEmpty()) {
            return value;
        }
        List<String> rest = path.subList(1, path.size());
        if (path.get(0).equals("0")) {
            List<Object> list = new ArrayList<>(data instanceof List<?> given ? given : List.of());
            Object item = with(list.isEmpty() ? null : list.remove(0), rest, value);
            list.add(0, item);
            return list;
        }
        Map<Object, Object> map = new LinkedHashMap<>(data instanceof Map<?, ?> given ? given : Map.of());
        map.put(path.get(0), with(map.get(path.get(0)), rest, value));
        return map;
    }

    private static void refused(Row row, Object value, String was) {
        assertThatThrownBy(() -> read(row, value))
                .isInstanceOf(InvalidResourceException.class)
                .message()
                .contains(row.path() + " must ", ", was " + was);
    }

    @ParameterizedTest
    @FieldSource("ROWS")
    void each_number_of_a_field_s_own_type_is_read(Row row) {
        assertThat(read(row, row.range().min())).isNotNull();
        assertThat(read(row, row.range().max())).isNotNull();
        assertThat(read(row, 1.0)).hasToString(read(row, 1).toString());
    }

    @ParameterizedTest
    @FieldSource({"ROWS", "RULED"})
    void a_number_beyond_a_field_s_own_type_is_refused_with_its_path_and_range(Row row) {
        for (BigInteger beyond : List.of(row.range().below(), row.range().above())) {
            assertThatThrownBy(() -> read(row, beyond))
                    .isInstanceOf(InvalidResourceException.class)
                    .message()
                    .contains(row.path() + " must ", ", was " + beyond)
                    .containsPattern("must (lie within (32|64) bits|be a whole number from -?\\d+ to \\d+), was");
        }
    }

    @Test
    void a_quantity_of_the_gang_is_checked_although_it_is_lost() {
        Row row = new Row("TFJob", "spec.runPolicy.schedulingPolicy.minResources.cpu", INT64, KUBEFLOW);

        assertThat(read(row, "500m")).isNotNull();
        assertThat(read(row, Long.MAX_VALUE)).isNotNull();
        refused(row, "two", "\"two\"");
        refused(row, true, "true");
    }

    // kubectl writes the number 1.0 as 1; the API server refuses the rest, k8s.io/kube-openapi validate/type.go.
    @ParameterizedTest
    @FieldSource({"ROWS", "RULED"})
    void another_type_in_a_field_of_whole_numbers_is_refused(Row row) {
        refused(row, true, "true");
        refused(row, 1.5, "1.5");
        refused(row, List.of(), "[]");
    }

    @ParameterizedTest
    @CsvSource({
        "ttlSecondsAfterFinished, -2147483648, 0",
        "ttlSecondsAfterFinished, 0, 0",
        "ttlSecondsAfterFinished, 2147483647, 2147483647",
        "activeDeadlineSeconds, -9223372036854775808, 1",
        "activeDeadlineSeconds, 0, 1",
        "activeDeadlineSeconds, 1, 1",
        "activeDeadlineSeconds, 2147483648, 2147483648",
        "activeDeadlineSeconds, 3153600000, 3153600000",
        "activeDeadlineSeconds, 3153600001, 3153600000",
        "activeDeadlineSeconds, 9223372036854775807, 3153600000"
    })
    void a_time_that_a_job_cannot_have_is_read_as_the_nearest(String key, long seconds, long nearest) {
        String path = "spec.runPolicy." + key;
        JobReadResult result = (JobReadResult) read(new Row("TFJob", path, INT64, KUBEFLOW), seconds);
        RunPolicy policy = result.job().spec().policy();
        boolean ttl = key.startsWith("ttl");

        assertThat(ttl ? policy.ttl() : policy.deadline()).contains(Duration.ofSeconds(nearest));
        assertThat(losses(result.losses(), path))
                .isEqualTo(
                        seconds == nearest
                                ? List.of()
                                : List.of(path + " = " + seconds + ": a job has from " + (ttl ? 0 : 1)
                                        + " to 3153600000 seconds; it is read as " + nearest));
    }

    private static List<String> losses(List<ConversionLoss> losses, String path) {
        return losses.stream()
                .filter(loss -> loss.path().equals(path))
                .map(ConversionLoss::toString)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"-2147483648, 1", "0, 1", "1, 1", "2147483647, 2147483647"})
    void a_timeout_that_a_request_cannot_have_is_read_as_the_nearest(long seconds, long read) {
        ScaleRequestReadResult result =
                (ScaleRequestReadResult) read(new Row("ScaleOut", "spec.timeout", INT32, ET), seconds);

        assertThat(result.request().timeout()).isEqualTo(Duration.ofSeconds(read));
        assertThat(losses(result.losses(), "spec.timeout"))
                .isEqualTo(
                        seconds == read
                                ? List.of()
                                : List.of("spec.timeout = " + seconds
                                        + ": a request waits for at least 1 second; it is read as 1"));
    }

    @ParameterizedTest
    @CsvSource({
        "0.000000001, 1, 1",
        "2147483647, 2147483647, 2147483647",
        "2147483648, 2147483647, 2147483648",
        "3153600000, 2147483647, 3153600000"
    })
    void a_time_is_written_within_the_type_of_its_field(String time, long ttl, long deadline) {
        Duration given = Duration.parse("PT" + time + "S");
        ResourceWriteResult result = KubeflowTfJobs.write(Job.named("a")
                .image("a/b:1")
                .tensorflow()
                .workers(1)
                .ttl(given)
                .deadline(given)
                .build());

        assertThat(result.toYaml())
                .contains("ttlSecondsAfterFinished: " + ttl + "\n", "activeDeadlineSeconds: " + deadline + "\n");
        assertThat(result.losses())
                .extracting(ConversionLoss::path)
                .filteredOn(path -> !path.equals("success"))
                .isEqualTo(
                        time.contains(".") ? List.of("ttl", "deadline") : ttl < deadline ? List.of("ttl") : List.of());
    }

    @Test
    void a_timeout_is_written_within_32_bits() {
        ScaleRequest request = ScaleRequest.out("mnist", 1);

        assertThat(ScaleRequests.write(request.timeout(Duration.ofSeconds(Integer.MAX_VALUE)))
                        .losses())
                .isEmpty();
        ResourceWriteResult longest =
                ScaleRequests.write(request.timeout(Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)));
        assertThat(longest.toYaml()).contains("timeout: 2147483647\n");
        assertThat(longest.losses())
                .extracting(ConversionLoss::toString)
                .containsExactly("timeout = PT2562047788015215H30M7.999999999S: it is whole seconds there, 2147483647");
    }

    @Test
    void a_request_for_more_workers_than_can_be_counted_is_refused() {
        assertThat(ScaleRequest.out("mnist", Integer.MAX_VALUE - 1).replicas(1)).isEqualTo(Integer.MAX_VALUE);
        assertThatThrownBy(() -> ScaleRequest.out("mnist", Integer.MAX_VALUE).replicas(1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("scaling out by 2147483647 makes 2147483648 workers of 1, which must be at most 2147483647;"
                        + " for example out(\"mnist\", 2)");
    }

    // resource.Quantity counts in 64 bits, slotsPerWorker in 32.
    @ParameterizedTest
    @CsvSource({"2k, 2000", "2147483647, 2147483647", "3000000000, 2147483647"})
    void slots_are_written_within_32_bits(String devices, long slots) {
        Job job = Job.named("a")
                .image("a/b:1")
                .horovod()
                .launcher()
                .command("run")
                .workers(1)
                .request("amd.com/gpu=" + devices)
                .build();

        assertThat(TrainingJobs.write(job).toYaml()).contains("\n  slotsPerWorker: " + slots + "\n");
    }
}
