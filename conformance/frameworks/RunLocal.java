import dev.edl.spec.Framework;
import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.RoleBuilder;
import dev.edl.exec.JobStatus;
import dev.edl.exec.AwaitTimeoutException;
import dev.edl.exec.local.LocalExecutor;
import dev.edl.exec.local.LocalRun;
import dev.edl.exec.LogLine;
import dev.edl.plan.Profile;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Runs one job by LocalExecutor: {@code RunLocal FRAMEWORK ROLES [OPTION...] -- COMMAND...}
 *
 * <p>ROLES is {@code chief,ps=2,worker=2:1..4,evaluator}. {@code --env NAME=VALUE} gives all replicas a variable;
 * {@code --profile NAME} plans by another profile than ELASTICDL; {@code --version V} names the framework's version;
 * {@code --relaunches N} is the relaunch limit, 0 by default; {@code --limit SECONDS} is how long the job may take, 180
 * unless said; {@code --on REGEX kill:worker-1} (or {@code scale:worker:3}, {@code delete:worker-1}) does that once, at the
 * first line of a log that the pattern finds. All logs are printed, each line behind its replica, then the events. Exit
 * code 0 when the job succeeded, else 1.
 */
final class RunLocal {
    private record When(Pattern pattern, String action) {}

    private final List<When> waiting = new ArrayList<>();
    private final BlockingQueue<String> actions = new LinkedBlockingQueue<>();

    private RunLocal() {}

    public static void main(String[] args) throws InterruptedException {
        System.exit(new RunLocal().run(args) ? 0 : 1);
    }

    private boolean run(String[] args) throws InterruptedException {
        List<String> words = Arrays.asList(args);
        int dashes = words.indexOf("--");
        JobBuilder job = Job.named("conformance")
                .framework(Framework.valueOf(args[0].toUpperCase(Locale.ROOT)))
                // A check that fails is to fail at once, not to be tried again.
                .relaunchLimit(0)
                .command(words.subList(dashes + 1, words.size()).toArray(new String[0]));
        int limit = 180;
        Profile profile = Profile.ELASTICDL;
        for (int i = 2; i < dashes; i += 2) {
            String value = args[i + 1];
            switch (args[i]) {
                case "--env" -> {
                    String[] variable = value.split("=", 2);
                    job.env(variable[0], variable[1]);
                }
                case "--version" -> job.frameworkVersion(value);
                case "--profile" -> profile = Profile.valueOf(value);
                case "--relaunches" -> job.relaunchLimit(Integer.parseInt(value));
                case "--limit" -> limit = Integer.parseInt(value);
                case "--on" -> {
                    waiting.add(new When(Pattern.compile(value), args[i + 2]));
                    i++;
                }
                default -> throw new IllegalArgumentException("there is no option " + args[i]);
            }
        }
        for (String role : args[1].split(",")) {
            role(job, role);
        }
        try (LocalExecutor local = LocalExecutor.builder()
                        .grace(Duration.ofSeconds(5))
                        .logsTo(this::line)
                        .build();
                LocalRun run = local.submit(job.build().plan(profile))) {
            Thread actor = new Thread(() -> act(run), "actions");
            actor.setDaemon(true);
            actor.start();
            JobStatus end = run.await(Duration.ofSeconds(limit));
            run.events().forEach(event -> System.out.println("[edl] " + event));
            return end.phase() == JobPhase.SUCCEEDED;
        } catch (AwaitTimeoutException e) {
            System.out.println("[edl] " + e.getMessage());
            return false;
        }
    }

    private static void role(JobBuilder job, String text) {
        String[] parts = text.split("[=:]");
        int replicas = parts.length > 1 ? Integer.parseInt(parts[1]) : 1;
        Consumer<RoleBuilder> plain = role -> {};
        switch (parts[0]) {
            case "master" -> job.master(plain);
            case "chief" -> job.chief(plain);
            case "ps" -> job.ps(replicas, plain);
            case "worker" -> job.workers(replicas, role -> {
                if (parts.length > 2) {
                    String[] bounds = parts[2].split("\\.\\.");
                    role.elastic(Integer.parseInt(bounds[0]), Integer.parseInt(bounds[1]));
                }
            });
            case "evaluator" -> job.evaluator(plain);
            case "scheduler" -> job.scheduler(plain);
            case "server" -> job.servers(replicas, plain);
            case "launcher" -> job.launcher(plain);
            default -> throw new IllegalArgumentException("there is no role " + parts[0]);
        }
    }

    /** Called by several threads at once. */
    private synchronized void line(LogLine line) {
        System.out.println(line);
        waiting.removeIf(when -> when.pattern().matcher(line.text()).find() && actions.add(when.action()));
    }

    /** On a separate thread, since a replica stands still while the reader of its log is busy. */
    private void act(LocalRun run) {
        while (true) {
            try {
                String action = actions.take();
                System.out.println("[edl] " + action);
                String[] parts = action.split(":");
                switch (parts[0]) {
                    case "kill" -> run.kill(parts[1]);
                    case "delete" -> run.delete(parts[1]);
                    case "scale" -> run.scale(parts[1], Integer.parseInt(parts[2]));
                    default -> throw new IllegalArgumentException("there is no action " + parts[0]);
                }
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                System.out.println("[edl] " + e);
            }
        }
    }
}
