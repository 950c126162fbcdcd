package dev.edl.conformance.operators;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.conformance.Checks;
import dev.edl.exec.JobStatus;
import dev.edl.operators.CustomResourceRun;
import dev.edl.plan.JobPlan;
import dev.edl.plan.ReplicaPlan;
import dev.edl.plan.RolePlan;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Namespace of jobs for an operator, with checks of its objects. */
final class OperatorCase {
    /** Ends by a file with the exit code in it, or by a signal. */
    private static final String MAIN =
            "trap 'exit 143' TERM; while [ ! -e /tmp/end ]; do sleep 0.1; done; sleep 1; exit $(cat /tmp/end)";

    private final KubernetesClient client;
    private final String namespace;

    /** Creates the namespace. */
    OperatorCase(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
        Checks.namespace(client, namespace, false);
    }

    String namespace() {
        return namespace;
    }

    /** Returns a job whose processes end on request. */
    JobBuilder base(String name) {
        return Job.named(name)
                .namespace(namespace)
                .image("edl.local/busybox:1")
                .command("sh", "-c", MAIN)
                .request("cpu=100m,memory=16Mi");
    }

    /** Checks that every replica prints the variables of the plan. */
    void environment(JobPlan plan) throws Exception {
        for (RolePlan role : plan.roles()) {
            for (int index = 0; index < role.replicas(); index++) {
                ReplicaPlan replica = plan.replica(role.type().id(), index);
                Map<String, String> there = new TreeMap<>();
                for (String line : exec(replica.name(), "env").split("\n")) {
                    there.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
                }
                Map<String, String> wanted = new TreeMap<>(replica.env());
                there.keySet().retainAll(wanted.keySet());
                Checks.check(
                        there.equals(wanted), replica.name() + " has\n" + there + "\nand the plan says\n" + wanted);
            }
        }
    }

    /** Makes a replica end with a code. */
    void end(String pod, int code) throws Exception {
        exec(pod, "sh", "-c", "echo " + code + " >/tmp/code && mv /tmp/code /tmp/end");
    }

    String exec(String pod, String... command) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ExecWatch running = client.pods()
                .inNamespace(namespace)
                .withName(pod)
                .writingOutput(out)
                .exec(command)) {
            running.exitCode().get(30, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(
                    pod + " did not end within 30 s: " + String.join(" ", command) + "; it wrote: " + out, e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    List<String> pods() {
        return client.pods().inNamespace(namespace).list().getItems().stream()
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }

    List<String> services() {
        return client.services().inNamespace(namespace).list().getItems().stream()
                .map(service -> service.getMetadata().getName())
                .toList();
    }

    void gone() throws InterruptedException {
        Checks.until(
                "nothing is left in " + namespace,
                this::pods,
                () -> pods().isEmpty() && services().isEmpty());
    }

    static void print(CustomResourceRun run) {
        List<JobEvent> shown = new ArrayList<>(run.events());
        shown.forEach(event -> System.out.println("  " + event));
        run.onEvent(event -> System.out.println("  " + event));
    }

    /** The status may be seen before its event. */
    static void told(CustomResourceRun run, JobEvent.Type type, String message) throws InterruptedException {
        Checks.until(
                "an event says " + type + " " + message,
                run::events,
                () -> run.events().stream()
                        .anyMatch(
                                event -> event.type() == type && event.message().equals(message)));
    }

    static void running(CustomResourceRun run, Map<String, Integer> wanted) throws InterruptedException {
        await(
                run,
                "running " + wanted,
                status -> status.phase() == JobPhase.RUNNING
                        && new TreeMap<>(wanted)
                                .equals(status.replicas().stream()
                                        .collect(Collectors.groupingBy(
                                                replica -> replica.role().id()
                                                        + (replica.status().equals("Running") ? "" : replica.status()),
                                                TreeMap::new,
                                                Collectors.summingInt(replica -> 1)))));
    }

    static void await(CustomResourceRun run, String what, Predicate<JobStatus> holds) throws InterruptedException {
        Checks.until("the job is " + what, () -> run, () -> holds.test(run.status()));
    }
}
