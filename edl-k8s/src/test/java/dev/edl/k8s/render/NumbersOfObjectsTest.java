package dev.edl.k8s.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.render.internal.KueueMetadata;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.GRPCActionBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HTTPGetActionBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.TCPSocketActionBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Table of the numeric fields of the objects that EDL renders, each with the range of its own type and of Kubernetes'
 * validation. The sources:
 *
 * <ul>
 *   <li>{@link #BATCH}: k8s.io/api v0.36.3, {@code batch/v1/types.go}; kubernetes v1.36.3,
 *       {@code pkg/apis/batch/validation};
 *   <li>{@link #CORE}: {@code core/v1/types.go}; {@code pkg/apis/core/validation};
 *   <li>{@link #SCHEDULING}: {@code scheduling/v1/types.go}; {@code HighestUserDefinablePriority} in
 *       {@code pkg/apis/scheduling/types.go};
 *   <li>{@link #GANG}: sigs.k8s.io/scheduler-plugins v0.28.9, {@code apis/scheduling/v1alpha1/types.go}, whose numbers
 *       have the types of volcano.sh/apis v1.8.0, {@code scheduling/v1beta1/types.go};
 *   <li>{@link #KUEUE}: sigs.k8s.io/kueue, {@code groupTotalCount} of {@code pkg/controller/jobs/pod}: an annotation
 *       that Go's {@code strconv.Atoi} reads, at least 1. A role has at most 99,999 replicas.
 * </ul>
 */
class NumbersOfObjectsTest {
    private static final String BATCH = "batch/v1";
    private static final String CORE = "core/v1";
    private static final String SCHEDULING = "scheduling/v1";
    private static final String GANG = "scheduling.x-k8s.io/v1alpha1";
    private static final String KUEUE = "kueue.x-k8s.io";
    private static final long INT32 = Integer.MAX_VALUE;

    /** Longest time of a job in seconds: 36500 days. */
    private static final long LONGEST = 3_153_600_000L;

    /**
     * Field with the range of its values.
     *
     * @param bits bits of the setter's parameter, so that larger values do not compile
     * @param written returns the rendered field for a value of the setting
     */
    record Row(String source, String field, int bits, long min, long max, LongFunction<Object> written) {
        @Override
        public String toString() {
            return source + " " + field;
        }
    }

    static final List<Row> ROWS = List.of(
            new Row(
                    BATCH,
                    "ttlSecondsAfterFinished",
                    64,
                    0,
                    INT32,
                    value -> worker(job().ttl(seconds(value))).getTtlSecondsAfterFinished()),
            new Row(
                    BATCH,
                    "activeDeadlineSeconds",
                    64,
                    1,
                    LONGEST,
                    value -> worker(job().deadline(seconds(value))).getActiveDeadlineSeconds()),
            new Row(
                    BATCH,
                    "backoffLimitPerIndex",
                    32,
                    0,
                    INT32,
                    value -> worker(job().relaunchLimit((int) value)).getBackoffLimitPerIndex()),
            new Row(
                    BATCH,
                    "backoffLimit",
                    32,
                    0,
                    INT32,
                    value -> worker(job().relaunchLimit((int) value), Workload.JOBS)
                            .getBackoffLimit()),
            new Row(
                    BATCH,
                    "completions",
                    32,
                    1,
                    99_999,
                    value -> worker(job((int) value)).getCompletions()),
            new Row(
                    BATCH,
                    "parallelism",
                    32,
                    1,
                    99_999,
                    value -> worker(job((int) value)).getParallelism()),
            new Row(SCHEDULING, "value", 32, Integer.MIN_VALUE, 1_000_000_000, NumbersOfObjectsTest::priority),
            new Row(
                    GANG,
                    "scheduleTimeoutSeconds",
                    64,
                    1,
                    INT32,
                    value -> group(Gang.coscheduling().timeout(seconds(value))).get("scheduleTimeoutSeconds")),
            new Row(
                    GANG,
                    "minMember",
                    32,
                    1,
                    3,
                    value -> group(Gang.coscheduling().members((int) value)).get("minMember")),
            new Row(KUEUE, "pod-group-total-count", 32, 1, 99_999, NumbersOfObjectsTest::total),
            pod(
                    "activeDeadlineSeconds",
                    64,
                    1,
                    INT32,
                    PodSpec::setActiveDeadlineSeconds,
                    PodSpec::getActiveDeadlineSeconds),
            pod(
                    "terminationGracePeriodSeconds",
                    64,
                    Long.MIN_VALUE,
                    Long.MAX_VALUE,
                    PodSpec::setTerminationGracePeriodSeconds,
                    PodSpec::getTerminationGracePeriodSeconds),
            pod(
                    "containers[0].ports[0].containerPort",
                    32,
                    1,
                    65_535,
                    (pod, value) -> port(pod).setContainerPort(value.intValue()),
                    pod -> port(pod).getContainerPort()),
            pod(
                    "containers[0].ports[0].hostPort",
                    32,
                    0,
                    65_535,
                    (pod, value) -> port(pod).setHostPort(value.intValue()),
                    pod -> port(pod).getHostPort()),
            probe("initialDelaySeconds", 0, INT32, Probe::setInitialDelaySeconds, Probe::getInitialDelaySeconds),
            probe("timeoutSeconds", 0, INT32, Probe::setTimeoutSeconds, Probe::getTimeoutSeconds),
            probe("periodSeconds", 0, INT32, Probe::setPeriodSeconds, Probe::getPeriodSeconds),
            probe("successThreshold", 0, 1, Probe::setSuccessThreshold, Probe::getSuccessThreshold),
            probe("failureThreshold", 0, INT32, Probe::setFailureThreshold, Probe::getFailureThreshold),
            pod(
                    "containers[0].livenessProbe.terminationGracePeriodSeconds",
                    64,
                    1,
                    Long.MAX_VALUE,
                    (pod, value) -> main(pod)
                            .setLivenessProbe(new ProbeBuilder()
                                    .withTerminationGracePeriodSeconds(value)
                                    .build()),
                    pod -> main(pod).getLivenessProbe().getTerminationGracePeriodSeconds()),
            probe(
                    "httpGet.port",
                    1,
                    65_535,
                    (probe, value) -> probe.setHttpGet(new HTTPGetActionBuilder()
                            .withPort(new IntOrString(value))
                            .build()),
                    probe -> probe.getHttpGet().getPort().getIntVal()),
            probe(
                    "tcpSocket.port",
                    1,
                    65_535,
                    (probe, value) -> probe.setTcpSocket(new TCPSocketActionBuilder()
                            .withPort(new IntOrString(value))
                            .build()),
                    probe -> probe.getTcpSocket().getPort().getIntVal()),
            probe(
                    "grpc.port",
                    1,
                    65_535,
                    (probe, value) -> probe.setGrpc(
                            new GRPCActionBuilder().withPort(value).build()),
                    probe -> probe.getGrpc().getPort()));

    private static Row pod(
            String field, int bits, long min, long max, BiConsumer<PodSpec, Long> set, Function<PodSpec, Object> get) {
        return new Row(CORE, field, bits, min, max, value -> {
            PodOptions options = PodOptions.builder()
                    .pod(template -> {
                        set.accept(template.getSpec(), value);
                        return template;
                    })
                    .build();
            return get.apply(PodTemplates.of(job().build().plan(), options)
                    .get("worker", 0)
                    .getSpec());
        });
    }

    private static Row probe(
            String field, long min, long max, BiConsumer<Probe, Integer> set, Function<Probe, Object> get) {
        return pod(
                "containers[0].startupProbe." + field,
                32,
                min,
                max,
                (pod, value) -> {
                    main(pod).setStartupProbe(new Probe());
                    set.accept(main(pod).getStartupProbe(), value.intValue());
                },
                pod -> get.apply(main(pod).getStartupProbe()));
    }

    private static Container main(PodSpec pod) {
        return pod.getContainers().get(0);
    }

    private static ContainerPort port(PodSpec pod) {
        if (main(pod).getPorts().isEmpty()) {
            main(pod)
                    .setPorts(List.of(
                            new ContainerPortBuilder().withContainerPort(80).build()));
        }
        return main(pod).getPorts().get(0);
    }

    private static JobBuilder job() {
        return job(2);
    }

    private static JobBuilder job(int workers) {
        return Job.named("m").elasticdl().image("i").master().workers(workers);
    }

    private static Duration seconds(long value) {
        return Duration.ofSeconds(value);
    }

    private static JobSpec worker(JobBuilder job) {
        return worker(job, Workload.INDEXED_JOBS);
    }

    private static JobSpec worker(JobBuilder job, Workload workload) {
        List<io.fabric8.kubernetes.api.model.batch.v1.Job> jobs = Manifests.of(
                        job.build().plan(), PodOptions.none(), workload)
                .objects(io.fabric8.kubernetes.api.model.batch.v1.Job.class);
        return jobs.get(jobs.size() - 1).getSpec();
    }

    private static Object priority(long value) {
        PodOptions options =
                PodOptions.builder().priorityClass("high", (int) value).build();
        return Manifests.of(job().build().plan(), options)
                .objects(PriorityClass.class)
                .get(0)
                .getValue();
    }

    /** Returns the size of the pod group without the master. */
    private static Object total(long workers) {
        JobPlan plan = Job.named("m")
                .elasticdl()
                .image("i")
                .workers((int) workers)
                .build()
                .plan();
        ObjectMeta pod = new ObjectMeta();
        KueueMetadata.join(plan, "m", Optional.of("q"), plan.role("worker"), 0, pod);
        return Long.parseLong(pod.getAnnotations().get("kueue.x-k8s.io/pod-group-total-count")) - 1;
    }

    private static Map<?, ?> group(Gang gang) {
        PodOptions options = PodOptions.builder().gang(gang).build();
        return assertThat(Manifests.of(job().build().plan(), options)
                        .objects(GenericKubernetesResource.class)
                        .get(0)
                        .getAdditionalProperties()
                        .get("spec"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .actual();
    }

    @ParameterizedTest
    @FieldSource("ROWS")
    void each_number_of_a_field_s_range_is_written_unchanged(Row row) {
        for (long value : new long[] {row.min(), row.max()}) {
            assertThat(((Number) row.written().apply(value)).longValue()).isEqualTo(value);
        }
    }

    @ParameterizedTest
    @FieldSource("ROWS")
    void a_number_beyond_a_field_s_range_is_refused_and_never_cut(Row row) {
        List<BigInteger> beyond = List.of(
                BigInteger.valueOf(row.min()).subtract(BigInteger.ONE),
                BigInteger.valueOf(row.max()).add(BigInteger.ONE));
        for (BigInteger value : beyond) {
            if (value.bitLength() < row.bits()) {
                long number = value.longValueExact();
                assertThatThrownBy(() -> row.written().apply(number))
                        .message()
                        .containsAnyOf(Long.toString(number), seconds(number).toString());
            }
        }
    }

    @Test
    void a_time_to_live_beyond_32_bits_is_refused_with_its_range() {
        JobPlan plan = job().ttl(Duration.ofDays(36_500)).build().plan();

        assertThatThrownBy(() -> Manifests.of(plan).check())
                .isInstanceOf(RenderException.class)
                .hasMessage("job \"m\": ttl must be at most 2147483647 seconds, as ttlSecondsAfterFinished of a Job is,"
                        + " was PT876000H; for example ttl(Duration.ofDays(365)), or use Workload.PODS");
        assertThat(Manifests.of(plan, PodOptions.none(), Workload.PODS).objects(Pod.class))
                .hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.5S", "PT1.5S", "PT2147483648S", "PT9223372036854775807S"})
    void a_timeout_of_a_gang_that_its_field_cannot_have_is_refused(Duration timeout) {
        assertThatThrownBy(() -> Gang.coscheduling().timeout(timeout))
                .hasMessage("a gang's timeout must be whole seconds from 1 to 2147483647, was " + timeout
                        + "; for example Duration.ofMinutes(10)");
    }

    @Test
    void the_shortest_deadline_and_time_to_live_are_1_second() {
        JobSpec spec = worker(job().ttl(Duration.ofNanos(1)).deadline(Duration.ofNanos(1)));

        assertThat(spec.getTtlSecondsAfterFinished()).isEqualTo(1);
        assertThat(spec.getActiveDeadlineSeconds()).isEqualTo(1);
    }
}
