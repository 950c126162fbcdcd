package dev.edl.conformance.jobs;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.exec.JobExecutor;
import dev.edl.exec.JobHandle;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.exec.PodResult;
import dev.edl.k8s.render.PodOptions;
import dev.edl.testkit.JobExecutorContract;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Checks that KubernetesExecutor keeps the contract of every executor on a real cluster. */
@OnCluster("--nodes 3")
class Contract {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    @Test
    void the_executor_keeps_the_contract_of_executors() throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            List<JobExecutorContract.Check> checks = JobExecutorContract.of(() -> new Pods(client))
                    .within(Checks.LIMIT)
                    .checks();
            for (JobExecutorContract.Check check : checks) {
                System.out.println(check);
                check.run();
            }
            System.out.println(
                    "kubernetes: the executor keeps the contract of executors: " + checks.size() + " checks");
        }
    }

    /** Uses a namespace for each check. */
    private static final class Pods implements JobExecutorContract.Environment {
        private final KubernetesClient client;
        private final String namespace = "edl-contract-" + NUMBER.incrementAndGet();
        private final KubernetesExecutor executor;

        Pods(KubernetesClient client) {
            this.client = client;
            this.executor = KubernetesExecutor.using(
                    client,
                    PodOptions.builder()
                            .runAsUser(1000)
                            .pod(pod -> pod.edit()
                                    .editSpec()
                                    .withTerminationGracePeriodSeconds(1L)
                                    .endSpec()
                                    .build())
                            .build());
            Checks.namespace(client, namespace, true);
        }

        @Override
        public JobExecutor executor() {
            return executor;
        }

        @Override
        public Job job(String name) {
            return Job.named(name)
                    .namespace(namespace)
                    .image("edl.local/busybox:1")
                    .command(
                            "sh",
                            "-c",
                            "trap 'exit 143' TERM; while [ ! -e /tmp/go ]; do sleep 0.1; done; sleep 1; exit $(cat /tmp/go)")
                    .request("cpu=100m,memory=16Mi")
                    .master()
                    .workers(2)
                    .elastic(1, 4)
                    .build();
        }

        @Override
        public void exit(JobHandle job, String replica, int code) throws InterruptedException {
            PodResult result = ((KubernetesRun) job)
                    .exec(replica, Checks.LIMIT, "sh", "-c", "echo " + code + " > /tmp/code; mv /tmp/code /tmp/go");
            Checks.check(result.exitCode() == 0, "the file is written, was " + result);
        }

        @Override
        public void close() {
            executor.close();
            client.namespaces().withName(namespace).delete();
        }
    }
}
