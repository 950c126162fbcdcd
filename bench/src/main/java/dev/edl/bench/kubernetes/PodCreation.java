package dev.edl.bench.kubernetes;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.harness.MeasurementSettings;
import dev.edl.bench.harness.RoundRatios;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * Speed at which an executor creates the pods of a job, against a bare client. The client creates the same pods,
 * rendered before, by 16 threads, the executor's number of concurrent requests. Both use the same client and an
 * informer of their pods, which have an owner. Both are timed from their start until a watch has seen the last of 501
 * pods, in at most five rounds. The executor's time includes rendering, the job record and the Services. Each runs six
 * warm-up turns in the same JVM first: until then the JIT compiler takes more of the processors, which the API server
 * shares. The pods run on fake nodes.
 */
public final class PodCreation implements Measurement {
    private static final int AT_ONCE = 16;
    private static final int MOST_ROUNDS = 5;
    private static final int WARMING = 6;

    private final Figure rate = new Figure(
            "kubernetes.create", 0.9, "an executor's pods in a second over a bare client's, 16 requests at once");

    @Override
    public List<Figure> figures() {
        return List.of(rate);
    }

    @Override
    public RoundRatios measure(MeasurementSettings settings) throws InterruptedException {
        int workers = settings.either(500, 20);
        RoundRatios rounds = new RoundRatios();
        try (TestCluster cluster = new TestCluster()) {
            double cold = executor(cluster, workers);
            bare(cluster, workers);
            rounds.note(
                    rate, "%d pods; %.0f pods/s by an executor in a JVM that has just begun".formatted(workers, cold));
            for (int i = 1; i < settings.either(WARMING, 1); i++) {
                executor(cluster, workers);
                bare(cluster, workers);
            }
            for (int i = 0; i < Math.min(settings.rounds(), MOST_ROUNDS); i++) {
                // In turn: the second one depends on the cluster's leftover work for the first.
                double us;
                double them;
                if (i % 2 == 0) {
                    us = executor(cluster, workers);
                    them = bare(cluster, workers);
                } else {
                    them = bare(cluster, workers);
                    us = executor(cluster, workers);
                }
                rounds.add(rate, us / them)
                        .side(rate, "EDL %.0f pods/s", us)
                        .side(rate, "a bare client %.0f pods/s", them);
            }
        }
        return rounds;
    }

    private static double executor(TestCluster cluster, int workers) throws InterruptedException {
        String namespace = cluster.namespace("create");
        try (PodWatch pods = new PodWatch(cluster.client(), namespace);
                KubernetesExecutor executor = cluster.executor(TestCluster.onFakeNodes())) {
            JobPlan plan = TestCluster.job(namespace, workers).plan();
            long begin = System.nanoTime();
            try (KubernetesRun run = executor.submit(plan)) {
                double rate = rate(begin, pods.added(workers + 1), workers);
                pods.running(workers + 1);
                run.close();
                return rate;
            }
        } finally {
            cluster.remove(namespace);
        }
    }

    private static double bare(TestCluster cluster, int workers) throws InterruptedException {
        String namespace = cluster.namespace("create");
        JobPlan plan = TestCluster.job(namespace, workers).plan();
        PodTemplates templates = PodTemplates.of(plan, TestCluster.onFakeNodes());
        OwnerReference owner = owner(cluster, namespace);
        List<Pod> made = IntStream.range(0, workers + 1)
                .mapToObj(i -> i == workers
                        ? pod(namespace, "elasticdl-bench-master", templates.get("master", 0), owner)
                        : pod(namespace, "elasticdl-bench-worker-" + i, templates.get("worker", i), owner))
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try (PodWatch pods = new PodWatch(cluster.client(), namespace)) {
            long begin = System.nanoTime();
            try (SharedIndexInformer<Pod> informer = cluster.counted()
                    .pods()
                    .inNamespace(namespace)
                    .withLabels(plan.selector())
                    .inform()) {
                made.forEach(pod -> threads.execute(() -> create(cluster, pod)));
                double rate = rate(begin, pods.added(workers + 1), workers);
                pods.running(workers + 1);
                informer.stop();
                return rate;
            }
        } finally {
            threads.shutdownNow();
            cluster.remove(namespace);
        }
    }

    private static void create(TestCluster cluster, Pod pod) {
        try {
            cluster.counted().resource(pod).create();
        } catch (KubernetesClientException e) {
            // If a busy server's response is lost, the client repeats the request.
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }

    private static OwnerReference owner(TestCluster cluster, String namespace) {
        ConfigMap owner = cluster.client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("owner")
                        .withNamespace(namespace)
                        .endMetadata()
                        .build())
                .create();
        return new OwnerReferenceBuilder()
                .withApiVersion("v1")
                .withKind("ConfigMap")
                .withName("owner")
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .build();
    }

    private static Pod pod(String namespace, String name, PodTemplateSpec template, OwnerReference owner) {
        return new PodBuilder()
                .withNewMetadataLike(template.getMetadata())
                .withName(name)
                .withNamespace(namespace)
                .addToOwnerReferences(owner)
                .endMetadata()
                .withSpec(template.getSpec())
                .editSpec()
                .withRestartPolicy("Never")
                .endSpec()
                .build();
    }

    private static double rate(long begin, long end, int workers) {
        return (workers + 1) * 1e9 / (end - begin);
    }
}
