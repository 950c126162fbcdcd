package dev.edl.conformance.queues;

import dev.edl.Job;
import dev.edl.cli.EdlCommand;
import dev.edl.conformance.Checks;
import dev.edl.conformance.Cluster;
import dev.edl.conformance.Kubectl;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.preflight.Preflight;
import dev.edl.k8s.preflight.PreflightReport;
import dev.edl.k8s.queue.JobQueue;
import dev.edl.k8s.render.PodOptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Runs each command and each line of Java of docs/queues.md, and compares what they print with the page. */
final class QueuesPage {
    private static final Pattern BLOCK = Pattern.compile("^```(\\w*)\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern IN_SOURCE = Pattern.compile("// region: \\S+\\n(.*?)// end\\n", Pattern.DOTALL);
    private static final String NAMESPACE = "vision";

    private final KubernetesClient client;
    private final Path folder;
    private final List<String> commands;
    private final List<String> printed;
    private final Job job =
            Kueue.job(NAMESPACE, "mnist", "cpu=200m,memory=16Mi", 2, 2, 1, 8).build();

    QueuesPage(KubernetesClient client) throws IOException {
        this.client = client;
        this.folder = Files.createTempDirectory("edl-queues-");
        this.commands = blocks("sh").stream().flatMap(String::lines).toList();
        this.printed = blocks("");
    }

    /** Returns the blocks of the page in a language. */
    static List<String> blocks(String language) throws IOException {
        return BLOCK.matcher(project("docs/queues.md"))
                .results()
                .filter(one -> one.group(1).equals(language))
                .map(one -> one.group(2))
                .toList();
    }

    void walk() throws Exception {
        Checks.check(commands.size() == 4 && printed.size() == 3, "blocks of the page, was " + commands + printed);
        java();
        String yaml = blocks("yaml").get(0);
        Files.writeString(folder.resolve("queues.yaml"), yaml);
        shell(commands.get(0));
        shell(commands.get(1));
        Checks.until(
                "the page's queue admits jobs",
                () -> Kubectl.run("get", "clusterqueue", NAMESPACE, "-o", "yaml"),
                () -> Kubectl.run("get", "clusterqueue", NAMESPACE, "-o", "yaml")
                        .contains("Can admit new workloads"));
        // region: submit
        PodOptions options =
                PodOptions.builder().queue("team-a").runAsUser(1000).build();
        PreflightReport planned = Preflight.ofQueues(yaml, job.plan(), options);
        KubernetesExecutor cluster = KubernetesExecutor.using(client, options);
        PreflightReport now = cluster.preflight(job);
        KubernetesRun run = cluster.submit(job);
        // end
        Checks.check(planned.problems().isEmpty() && now.ok(), "the job was to fit its queue: " + planned + now);
        Checks.check(!now.toString().contains("Queue"), "the job was to fit its queue: " + now);
        running(run, 5);
        waits(run, cluster);
        shell(commands.get(2));
        report(
                "a file with the status of the queue",
                Preflight.ofQueues(Files.readString(folder.resolve("queues.yaml")), job.plan(), options)
                        .toString());
        StringWriter out = new StringWriter();
        PrintWriter to = new PrintWriter(out, true);
        EdlCommand.run(to, to, commands.get(3).replaceFirst("^edl ", "").split(" "));
        Checks.check(out.toString().contains(printed.get(2)), commands.get(3) + " printed\n" + out);
        cluster.close();
        withoutRecord();
        Files.delete(folder.resolve("queues.yaml"));
        Files.delete(folder);
        System.out.println("kubernetes: the page's commands and Java ran, and printed what it says");
    }

    private void waits(KubernetesRun run, KubernetesExecutor cluster) throws InterruptedException {
        Optional<String> before = run.whyPending("worker-1");
        Checks.check(before.isEmpty(), "worker-1 has quota, but " + before);
        // region: scale
        run.scale("worker", 3);
        // end
        Checks.until(
                "worker-2 is created",
                () -> run,
                () -> run.status().replicas().stream()
                        .anyMatch(one -> one.name().endsWith("-worker-2")));
        // region: waits
        Optional<String> why = run.whyPending("worker-2");
        Optional<JobQueue> queue = run.queue();
        Optional<JobQueue> read = cluster.find("vision", "mnist").queue();
        // end
        System.out.println("  at once: " + why + queue + read);
        Checks.until(
                "a worker waits as on the page",
                () -> run.whyPending("worker-2") + "\n" + run.queue(),
                () -> run.whyPending("worker-2")
                                .orElse("")
                                .equals(printed.get(1).strip())
                        && run.queue().orElseThrow().toString().equals(printed.get(2)));
        Checks.check(
                cluster.find(NAMESPACE, "mnist")
                        .queue()
                        .orElseThrow()
                        .toString()
                        .equals(printed.get(2)),
                "a program that does not drive the job reads the same");
    }

    /** Returns the page's options of a job in one rack. */
    static PodOptions inOneRack() {
        // region: racks
        PodOptions racks = PodOptions.builder()
                .queue("team-a")
                .runAsUser(1000)
                .role("worker", worker -> worker.requiredTopology("example.com/rack"))
                .build();
        // end
        return racks;
    }

    /** Compares a report with the page, whose names of Workloads end with "…". */
    private void report(String what, String report) {
        String line = printed.get(0).strip().split("…", 2)[0];
        Checks.check(report.contains(line), what + " was to be reported as\n" + line + "\nbut was\n" + report);
    }

    /** Deletes the record of the job and its Workload, by the command of the page. */
    private void withoutRecord() throws Exception {
        Kubectl.run("delete", "configmap", "edl-job-mnist", "--namespace", NAMESPACE);
        Checks.until(
                "Kueue keeps pods of the job",
                this::pods,
                () -> pods().lines().noneMatch(pod -> pod.contains("Running")));
        Checks.check(pods().contains("elasticdl-mnist-master"), "Kueue was to keep pods, but there are\n" + pods());
        String group = Kubectl.run("get", "workloads", "--namespace", NAMESPACE, "-o", "name")
                .lines()
                .map(name -> name.replaceAll(".*/", ""))
                .filter(name -> name.startsWith("elasticdl-mnist-"))
                .findFirst()
                .orElseThrow();
        String said = "kubectl delete workload elasticdl-NAME-…";
        Checks.check(project("docs/queues.md").contains("`" + said + "`"), "the page must have \"" + said + "\"");
        shell(said.replace("elasticdl-NAME-…", group) + " --namespace " + NAMESPACE);
        Checks.until("no pod is left", this::pods, () -> pods().contains("No resources found"));
    }

    private String pods() {
        return Kubectl.run("get", "pods", "--namespace", NAMESPACE);
    }

    private void running(KubernetesRun run, int number) throws InterruptedException {
        Checks.until(
                number + " pods of the page's job run",
                run::toString,
                () -> pods().lines().filter(pod -> pod.contains("Running")).count() == number);
    }

    private void shell(String command) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", command)
                .directory(folder.toFile())
                .inheritIO()
                .start();
        Checks.check(process.waitFor() == 0, command + " ended with " + process.exitValue());
    }

    private static String project(String path) throws IOException {
        return Files.readString(Path.of(Cluster.scripts()).resolve("../..").resolve(path));
    }

    /** Checks that this class runs the page's Java. */
    private static void java() throws IOException {
        String source = project("conformance/kubernetes/src/test/java/dev/edl/conformance/queues/QueuesPage.java");
        List<String> run = withoutBlanks(
                IN_SOURCE.matcher(source).results().map(one -> one.group(1)).toList());
        List<String> page = withoutBlanks(blocks("java"));
        Checks.check(run.equals(page), "docs/queues.md must have the Java that is run,\n" + run + "\nbut has\n" + page);
    }

    private static List<String> withoutBlanks(List<String> blocks) {
        return blocks.stream().map(block -> block.replaceAll("\\s", "")).toList();
    }
}
