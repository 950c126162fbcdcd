package dev.edl.conformance.jobs;

import dev.edl.Job;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.exec.ExecException;
import dev.edl.k8s.exec.PodCommand;
import dev.edl.k8s.render.PodOptions;
import dev.edl.plan.Profile;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Checks that a Horovod job of profile ET_V1ALPHA1 is scaled in et-operator's order: hosts, processes, pods. Its
 * launcher has a process for each worker in the hosts and keeps it, like a slow Horovod, until the check ends it.
 */
@OnCluster("--nodes 3")
public class Elastic {
    private static final String NAMESPACE = "edl-elastic";

    /**
     * Starts a process named like ssh's for each host; after a host was removed, its process stays until /tmp/free
     * exists.
     */
    static final String LAUNCHER = """
            printf 'sleep 100000 & trap "kill $!; exit" TERM; wait' >/tmp/ssh
            while [ ! -e /tmp/end ]; do
              for host in $(sh /etc/edl/discover_hosts.sh); do
                name=${host%:*}
                [ -e /tmp/on-$name ] || { sh /tmp/ssh $name & echo $! >/tmp/on-$name; }
              done
              for on in /tmp/on-*; do
                name=${on#/tmp/on-}
                if [ -e /tmp/free ] && ! sh /etc/edl/discover_hosts.sh | grep -q "^$name:"; then
                  kill $(cat $on); rm -f $on
                fi
              done
              sleep 0.2
            done
            sleep 1
            exit $(cat /tmp/end)
            """;

    public static PodOptions options() {
        return PodOptions.builder()
                .pod(pod -> {
                    PodTemplateSpec quick = pod.edit()
                            .editSpec()
                            .withTerminationGracePeriodSeconds(1L)
                            .endSpec()
                            .build();
                    quick.getSpec().getInitContainers().forEach(first -> {
                        first.setImage("edl.local/busybox:1");
                        first.getResources().setLimits(null);
                        first.getResources().setRequests(null);
                    });
                    return quick;
                })
                .build();
    }

    @Test
    void workers_come_and_go_in_et_operators_order() throws Exception {
        Job job = Job.named("elastic")
                .namespace(NAMESPACE)
                .horovod()
                .image("edl.local/busybox:1")
                .request("cpu=100m,memory=16Mi")
                .launcher(launcher -> launcher.command("sh", "-c", LAUNCHER).request("cpu=200m,memory=128Mi"))
                .workers(
                        2,
                        workers -> workers.command("sh", "-c", "trap 'exit 0' TERM; sleep 100000 & wait")
                                .elastic(1, 11))
                .build();
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            Checks.namespace(client, NAMESPACE, false);
            try (KubernetesExecutor executor = KubernetesExecutor.using(client, options())) {
                KubernetesRun run = executor.submit(job.plan(Profile.ET_V1ALPHA1));
                run.onEvent(event -> System.out.println("  " + event));
                start(client, run);
                in(client, run);
                out(client, run);
                late(client, run);
                run = relaunched(client, run, executor);
                end(client, run);
                executor.delete(NAMESPACE, "elastic");
                Checks.until(
                        "nothing is left",
                        () -> client.pods().inNamespace(NAMESPACE).list(),
                        () -> client.pods()
                                        .inNamespace(NAMESPACE)
                                        .list()
                                        .getItems()
                                        .isEmpty()
                                && client.services()
                                        .inNamespace(NAMESPACE)
                                        .list()
                                        .getItems()
                                        .isEmpty()
                                && client.secrets()
                                        .inNamespace(NAMESPACE)
                                        .list()
                                        .getItems()
                                        .isEmpty());
            }
            client.namespaces().withName(NAMESPACE).delete();
        }
        List<String> left = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("edl-"))
                .toList();
        Checks.check(left.isEmpty(), "threads are left: " + left);
    }

    private static void start(KubernetesClient client, KubernetesRun run) throws InterruptedException {
        Checks.until("the job runs", () -> run, () -> run.status().phase() == JobPhase.RUNNING);
        List<String> events = run.events().stream()
                .filter(event ->
                        event.type() == JobEvent.Type.REPLICA_CREATED || event.type() == JobEvent.Type.REPLICA_RUNNING)
                .map(JobEvent::message)
                .toList();
        Checks.check(
                events.indexOf("created elastic-launcher") > events.indexOf("elastic-worker-0 is running")
                        && events.indexOf("created elastic-launcher") > events.indexOf("elastic-worker-1 is running"),
                "the launcher is created when both workers run, was " + events);
        attached(run, "worker-1");
        Checks.check(
                client.secrets()
                        .inNamespace(NAMESPACE)
                        .withName("elastic")
                        .get()
                        .getData()
                        .containsKey("id_rsa"),
                "a Secret with keys");
        System.out.println("kubernetes: the launcher was created when its workers ran, with a Secret and its hosts");
    }

    private static void in(KubernetesClient client, KubernetesRun run) throws InterruptedException {
        run.scale("worker", 1, Duration.ofMinutes(5));
        hosts(client, run, "elastic-worker-0:1\n");
        Checks.stays(
                "a worker stays while the launcher has a process on it",
                Duration.ofSeconds(2),
                () -> run,
                () -> client.pods()
                                .inNamespace(NAMESPACE)
                                .withName("elastic-worker-1")
                                .get()
                                .getMetadata()
                                .getDeletionTimestamp()
                        == null);
        run.exec("launcher", Duration.ofSeconds(20), "touch", "/tmp/free");
        Checks.until(
                "worker-1 is gone",
                () -> run,
                () -> client.pods()
                                .inNamespace(NAMESPACE)
                                .withName("elastic-worker-1")
                                .get()
                        == null);
        Checks.check(
                client.services()
                                .inNamespace(NAMESPACE)
                                .withName("elastic-worker-1")
                                .get()
                        == null,
                "its Service is gone, too");
        System.out.println("kubernetes: scaled in: hosts updated, process gone, pod deleted");
    }

    private static void out(KubernetesClient client, KubernetesRun run) throws InterruptedException {
        run.scale("worker", 11, Duration.ofMinutes(5));
        hosts(client, run, lines(11));
        Checks.check(
                client.services()
                                .inNamespace(NAMESPACE)
                                .withName("elastic-worker-10")
                                .get()
                        != null,
                "a new worker has a Service");
        attached(run, "worker-10");
        System.out.println("kubernetes: scaled out: pods ready, hosts updated");

        // worker-1's process ends, worker-10's does not: its name begins with the other's.
        run.scale("worker", 2, Duration.ofMinutes(5));
        Checks.until(
                "two workers are left",
                () -> run,
                () -> client.pods()
                                .inNamespace(NAMESPACE)
                                .withLabel("training-job-role", "worker")
                                .list()
                                .getItems()
                                .size()
                        == 2);
        hosts(client, run, lines(2));
    }

    private static void late(KubernetesClient client, KubernetesRun run) throws InterruptedException {
        Checks.cordon(client, true);
        run.scale("worker", 4, Duration.ofSeconds(5));
        Checks.until(
                "scaling out has failed",
                () -> run,
                () -> run.events().stream().anyMatch(event -> event.type() == JobEvent.Type.SCALE_FAILED));
        JobEvent failed = run.events().stream()
                .filter(event -> event.type() == JobEvent.Type.SCALE_FAILED)
                .findFirst()
                .orElseThrow();
        Checks.check(failed.message().endsWith("execution timeout"), "a timeout, was " + failed);
        Checks.check(
                client.pods()
                                        .inNamespace(NAMESPACE)
                                        .withLabel("training-job-role", "worker")
                                        .list()
                                        .getItems()
                                        .size()
                                == 2
                        && run.status().roles().get(1).desired() == 2,
                "the new workers are gone again, was " + run);
        hosts(client, run, lines(2));
        Checks.cordon(client, false);
        System.out.println(
                "kubernetes: scaled out without room: " + failed.message() + "; rolled back, the hosts unchanged");
    }

    private static KubernetesRun relaunched(KubernetesClient client, KubernetesRun run, KubernetesExecutor executor)
            throws InterruptedException {
        run.scale("worker", 3, Duration.ofMinutes(5));
        hosts(client, run, lines(3));
        String before = client.pods()
                .inNamespace(NAMESPACE)
                .withName("elastic-launcher")
                .get()
                .getMetadata()
                .getUid();
        client.pods().inNamespace(NAMESPACE).withName("elastic-launcher").delete();
        Checks.until("the launcher is relaunched", () -> run, () -> {
            Pod pod = client.pods()
                    .inNamespace(NAMESPACE)
                    .withName("elastic-launcher")
                    .get();
            return pod != null
                    && !pod.getMetadata().getUid().equals(before)
                    && "Running".equals(pod.getStatus().getPhase());
        });
        hosts(client, run, lines(3));
        System.out.println("kubernetes: a launcher that is relaunched has the hosts of before");

        // Its successor has to wait, so that the time without it is long enough to observe.
        Checks.cordon(client, true);
        client.pods().inNamespace(NAMESPACE).withName("elastic-worker-1").delete();
        Checks.until(
                "a lost worker is no host",
                () -> run,
                () -> read(run).equals("elastic-worker-0:1\nelastic-worker-2:1\n"));
        Checks.cordon(client, false);
        hosts(client, run, lines(3));
        System.out.println("kubernetes: a lost worker was no host until it was back");

        // The first run stays open: it must notice that it is lost.
        KubernetesRun taken = executor.attach(NAMESPACE, "elastic");
        taken.onEvent(event -> System.out.println("  (attached) " + event));
        Checks.until("it is attached", () -> taken, () -> taken.status().phase() == JobPhase.RUNNING);
        taken.exec("launcher", Duration.ofSeconds(20), "touch", "/tmp/free");
        taken.scale("worker", 2, Duration.ofMinutes(5));
        hosts(client, taken, lines(2));
        System.out.println("kubernetes: an attached run scales");
        return taken;
    }

    private static void end(KubernetesClient client, KubernetesRun run) throws InterruptedException {
        run.exec("launcher", PodCommand.of("sh", "-c", "echo 0 >/tmp/end.new; mv /tmp/end.new /tmp/end"));
        JobStatus end = run.await(Checks.LIMIT);
        Checks.check(end.phase() == JobPhase.SUCCEEDED, "the launcher's exit code ends the job, was " + end);
        Checks.until(
                "the workers are cleaned up",
                () -> run,
                () -> client.pods().inNamespace(NAMESPACE).list().getItems().size() == 1
                        && client.services()
                                .inNamespace(NAMESPACE)
                                .list()
                                .getItems()
                                .isEmpty());
        System.out.println("kubernetes: the launcher's end was the job's, and the workers were cleaned up");
    }

    private static String lines(int workers) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < workers; i++) {
            lines.append("elastic-worker-").append(i).append(":1\n");
        }
        return lines.toString();
    }

    /** Checks the hosts in the launcher and in its ConfigMap. */
    private static void hosts(KubernetesClient client, KubernetesRun run, String lines) throws InterruptedException {
        Checks.until(
                "the hosts are " + lines.replace("\n", " "),
                () -> read(run) + run,
                () -> read(run).equals(lines));
        ConfigMap map = client.configMaps()
                .inNamespace(NAMESPACE)
                .withName("elastic-config")
                .get();
        Checks.check(map.getData().get("hostfile").equals(lines), "the ConfigMap has the hosts, was " + map.getData());
        Checks.check(
                map.getData().get("deepspeed-hostfile").equals(lines.replace(":", " slots=")),
                "and DeepSpeed's, was " + map.getData());
    }

    private static String read(KubernetesRun run) {
        try {
            return run.exec("launcher", Duration.ofSeconds(20), "cat", "/etc/edl/hostfile")
                    .out();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } catch (RuntimeException e) {
            return e.getMessage();
        }
    }

    private static void attached(KubernetesRun run, String worker) throws InterruptedException {
        Checks.until("the launcher has a process on " + worker, () -> run, () -> {
            try {
                return run.exec("launcher", Duration.ofSeconds(20), "test", "-e", "/tmp/on-elastic-" + worker)
                        .succeeded();
            } catch (ExecException e) {
                // Asked again.
                return false;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
