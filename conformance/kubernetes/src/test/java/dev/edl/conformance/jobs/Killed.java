package dev.edl.conformance.jobs;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * Checks takeover at every request: the program that drives a small job dies before its first request, before its
 * second, and so on, and another one takes over each time. The job ends as it does undisturbed, no pod existed twice,
 * and one delete leaves nothing.
 */
@OnCluster("--nodes 0 --fake 2")
class Killed {
    private static final int AT_ONCE = 4;
    /** KWOK's default delays of starting and ending pods are random. */
    private static final PodOptions QUICK = PodOptions.builder()
            .pod(pod -> pod.edit()
                    .editMetadata()
                    .addToAnnotations(Tutorial.PACE)
                    .endMetadata()
                    .editSpec()
                    .withTerminationGracePeriodSeconds(1L)
                    .endSpec()
                    .build())
            .build();

    @Test
    void a_program_may_be_killed_before_any_request() throws Exception {
        try (KubernetesClient admin = new KubernetesClientBuilder().build()) {
            Story undisturbed = new Story(admin, "killed-never", Integer.MAX_VALUE);
            undisturbed.run();
            int calls = undisturbed.calls.get();
            ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
            List<Future<Integer>> ends = new ArrayList<>();
            for (int call = 1; call <= calls; call++) {
                Story story = new Story(admin, "killed-" + call, call);
                ends.add(threads.submit((Callable<Integer>) () -> story.run()));
            }
            int killed = 0;
            for (Future<Integer> end : ends) {
                killed += end.get();
            }
            threads.shutdown();
            System.out.println("kubernetes: a job of " + calls + " requests lost its driver before each of them, "
                    + killed + " times in all; each ended the same, without a second pod of a name, and left nothing");
        }
    }

    /** One run of the job, whose first driver dies before a request. */
    private static final class Story implements Interceptor, Watcher<Pod> {
        private final KubernetesClient admin;
        private final String namespace;
        private final int last;
        final AtomicInteger calls = new AtomicInteger();
        private volatile boolean dead;
        private final Map<String, String> seen = new ConcurrentHashMap<>();
        private final Set<String> twice = ConcurrentHashMap.newKeySet();
        private KubernetesExecutor executor;
        private KubernetesExecutor second;
        private KubernetesRun run;

        Story(KubernetesClient admin, String namespace, int last) {
            this.admin = admin;
            this.namespace = namespace;
            this.last = last;
        }

        @Override
        public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
            // The watch does not count as a request: its time depends on the server's responses.
            boolean watch = request.uri().toString().contains("watch=true");
            if (dead || (!watch && calls.incrementAndGet() == last)) {
                dead = true;
                throw new IllegalStateException("killed");
            }
        }

        @Override
        public void eventReceived(Action action, Pod pod) {
            String name = pod.getMetadata().getName();
            String before = seen.putIfAbsent(name, pod.getMetadata().getUid());
            if (before != null && !before.equals(pod.getMetadata().getUid())) {
                twice.add(name);
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            Checks.check(cause == null, namespace + ": the watch of the check was lost: " + cause);
        }

        /** Returns how often a driver died. */
        @SuppressWarnings("try")
        int run() throws Exception {
            Checks.namespace(admin, namespace, false);
            KubernetesClient first = new KubernetesClientBuilder()
                    .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("kill", this))
                    .build();
            try (Watch watch = admin.pods().inNamespace(namespace).watch(this);
                    KubernetesExecutor other = KubernetesExecutor.using(admin, QUICK)) {
                second = other;
                executor = KubernetesExecutor.using(first, QUICK);
                step("three pods run", () -> {}, () -> running() == 3);
                step("a third worker runs", () -> run.scale("worker", 3), () -> running() == 4);
                admin.pods().inNamespace(namespace).withName(name("worker-0")).delete();
                step(
                        "worker-3 runs for worker-0",
                        () -> {},
                        () -> running() == 4 && seen.containsKey(name("worker-3")));
                succeed();
                step(
                        "the job ends, and its workers go",
                        () -> {},
                        () -> phase() == JobPhase.SUCCEEDED && pods().size() == 1);
                step("nothing is left", () -> executor.delete(namespace, "small"), this::nothing);
                Checks.check(twice.isEmpty(), namespace + ": there were two pods of the name " + twice);
                Checks.check(
                        seen.size() == 5,
                        namespace + ": five pods were expected in all, there were " + new TreeMap<>(seen).keySet());
            } finally {
                first.close();
            }
            admin.namespaces().withName(namespace).delete();
            return dead ? 1 : 0;
        }

        /** Does an action and waits for its effect; if the driver dies, the next one repeats the action. */
        private void step(String what, Runnable act, BooleanSupplier holds) throws InterruptedException {
            boolean[] done = {false};
            Checks.until(namespace + ": " + what, () -> seen.keySet() + " " + run, () -> {
                try {
                    if (dead && executor != second) {
                        executor = second;
                        run = null;
                        done[0] = false;
                    }
                    if (run == null) {
                        run = drive();
                    }
                    if (!done[0]) {
                        act.run();
                        done[0] = true;
                    }
                    return (!dead || executor == second) && holds.getAsBoolean();
                } catch (RuntimeException e) {
                    if (dead && executor != second) {
                        return false;
                    }
                    throw e;
                }
            });
        }

        /** Attaches to the job, or submits it when it has not begun; a deleted job stays deleted. */
        private KubernetesRun drive() {
            if (executor != second) {
                return executor.submit(job());
            }
            if (admin.configMaps()
                            .inNamespace(namespace)
                            .withName("edl-job-small")
                            .get()
                    != null) {
                return executor.attach(namespace, "small");
            }
            return seen.size() == 5 ? run : executor.submit(job());
        }

        private Job job() {
            return Job.named("small")
                    .namespace(namespace)
                    .image("edl.local/busybox:1")
                    .command("sleep", "1000")
                    .request("cpu=10m,memory=16Mi")
                    .master()
                    .workers(2, workers -> workers.elastic(1, 4))
                    .build();
        }

        private static String name(String replica) {
            return "elasticdl-small-" + replica;
        }

        private List<Pod> pods() {
            return admin.pods().inNamespace(namespace).list().getItems();
        }

        private long running() {
            return pods().stream()
                    .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                    .filter(pod -> pod.getStatus().getPhase().equals("Running"))
                    .count();
        }

        private JobPhase phase() {
            return run.status().phase();
        }

        /** Sets the status that a kubelet sets when the leader's program succeeds. */
        private void succeed() {
            admin.pods().inNamespace(namespace).withName(name("master")).editStatus(pod -> {
                pod.getStatus().setPhase("Succeeded");
                return pod;
            });
        }

        private boolean nothing() {
            return pods().isEmpty()
                    && admin.services().inNamespace(namespace).list().getItems().isEmpty()
                    && admin.configMaps().inNamespace(namespace).list().getItems().stream()
                            .allMatch(map -> map.getMetadata().getName().equals("kube-root-ca.crt"));
        }
    }
}
