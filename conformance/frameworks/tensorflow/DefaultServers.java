import dev.edl.Job;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.plan.ReplicaPlan;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Trains with TfJob's default parameter servers: {@code DefaultServers FOLDER PYTHON PROGRAM}. The servers are the program
 * of the job's ConfigMap, started by the command of their pods; master and workers run PROGRAM. All are processes of this
 * machine, at its own address in place of the Services'.
 */
final class DefaultServers {
    private static final long LIMIT = 150;

    private final Path folder;
    private final List<Process> processes = new ArrayList<>();

    private DefaultServers(Path folder) {
        this.folder = folder;
    }

    public static void main(String[] args) throws Exception {
        System.exit(new DefaultServers(Path.of(args[0])).run(args[1], args[2]) ? 0 : 1);
    }

    private boolean run(String python, String program) throws Exception {
        Map<String, Integer> ports = new HashMap<>();
        for (String replica : List.of("master0", "ps0", "ps1", "worker0", "worker1")) {
            ports.put(replica, port());
        }
        JobPlan inPods = Job.named("conformance")
                .tensorflow()
                .runId("76no")
                .master(role -> role.image("a:1"))
                .workers(2, role -> role.image("a:1"))
                .ps(2)
                .build()
                .plan(Profile.TFJOB_V1ALPHA1);
        JobPlan plan = inPods.reachedBy(
                (role, index) -> new Endpoint(role, index, "127.0.0.1", ports.get(role.id() + index)));
        for (Map.Entry<String, String> file :
                Manifests.of(inPods).objects(ConfigMap.class).get(0).getData().entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
        }
        try {
            for (int index = 0; index < 2; index++) {
                List<String> command = new ArrayList<>(PodTemplates.of(plan)
                        .get("ps", index)
                        .getSpec()
                        .getContainers()
                        .get(0)
                        .getCommand());
                command.replaceAll(word ->
                        word.equals("python") ? python : word.replaceFirst("^/ps-server(?=/)", folder.toString()));
                System.out.println("[edl] " + command);
                start(command, Map.of());
            }
            for (int index = 0; index < 2; index++) {
                start(List.of(python, "-W", "ignore", program), plan.replica("worker", index).env());
            }
            ReplicaPlan master = plan.replica("master", 0);
            Process leader = start(List.of(python, "-W", "ignore", program), master.env());
            // A server ends only by a mistake.
            CompletableFuture.anyOf(
                            leader.onExit(), processes.get(0).onExit(), processes.get(1).onExit())
                    .get(LIMIT, TimeUnit.SECONDS);
            boolean serves = processes.subList(0, 2).stream().allMatch(Process::isAlive);
            System.out.println("[edl] the master " + (leader.isAlive() ? "runs" : "ended with " + leader.exitValue())
                    + ", both servers run: " + serves);
            return serves && leader.exitValue() == 0;
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private Process start(List<String> command, Map<String, String> env) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().putAll(env);
        builder.environment().put("MODEL_DIR", folder.resolve("model").toString());
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private static int port() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
