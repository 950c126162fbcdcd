package dev.edl;

import dev.edl.spec.Backoff;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.Priority;
import dev.edl.spec.Resources;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.SuccessPolicy;
import dev.edl.spec.Volume;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Valid random jobs from a seed, which use every setting and texts that YAML could misread. */
final class RandomJobs {
    private static final List<String> TRICKY = List.of(
            "",
            " ",
            "yes",
            "No",
            "null",
            "~",
            "true",
            "1",
            "010",
            "0x1f",
            "1e3",
            "1_000",
            ".5",
            ".inf",
            "12:30:45",
            "2026-01-01",
            "- a",
            "a: b",
            "a #b",
            "#",
            "*a",
            "&a",
            "!a",
            "%a",
            "@a",
            "`a",
            "'a'",
            "\"a\"",
            "{a}",
            "[a]",
            "a,b",
            "<<",
            "=",
            "---",
            "...",
            "a\nb",
            "a\r\nb",
            "\t",
            "é",
            "\u0085",
            "\u2028",
            "\ufeff",
            "\ud83d\ude00",
            "\ud83d\ude00\ud83d\ude01",
            "\u007f",
            "\u0001",
            "\\n",
            "a:",
            ":a",
            "?",
            "? a",
            "|",
            ">",
            "a\\",
            "trailing ",
            " leading");

    private final Random random;

    private RandomJobs(Random random) {
        this.random = random;
    }

    static Job job(Random random) {
        return new RandomJobs(random).job();
    }

    private Job job() {
        JobBuilder job = Job.named("job-" + Integer.toString(random.nextInt(1_000_000), 36));
        template(job, false);
        int framework = random.nextInt(5);
        // MXNet with a version does not support elastic workers.
        boolean mxnet = framework == 2;
        switch (framework) {
            case 0 -> job.elasticdl().master(this::plain).ps(count(), this::plain);
            case 1 ->
                job.tensorflow().ps(count(), this::plain).chief(this::plain).evaluator();
            case 2 ->
                job.mxnet(one("1.10", "1.9.1", "0.28.1+cpu"))
                        .scheduler(this::plain)
                        .servers(count());
            case 3 -> job.horovod().launcher(this::plain);
            default -> job.pytorch().master();
        }
        int workers = count();
        job.workers(workers, worker -> {
            template(worker, true);
            if (random.nextBoolean() && !mxnet) {
                worker.elastic(1 + random.nextInt(workers), workers + random.nextInt(5));
            }
        });
        whole(job);
        return job.build();
    }

    private void whole(JobBuilder job) {
        sometimes(() -> job.namespace("ns-" + random.nextInt(100)));
        sometimes(() -> job.runId("run-" + random.nextInt(100)));
        sometimes(() -> job.label("team", "a.b_c-" + random.nextInt(9)).label("example.com/x", ""));
        sometimes(() -> job.annotation("true", text()).annotation("example.com/y", text()));
        sometimes(() -> job.success(one(SuccessPolicy.values())));
        sometimes(() -> job.cleanup(one(CleanupPolicy.values())));
        sometimes(() -> job.ttl(Duration.ofMillis(random.nextInt(1_000_000))));
        sometimes(() -> job.deadline(Duration.ofNanos(1 + random.nextLong(1L << 50))));
        sometimes(() -> job.backoff(new Backoff(
                Duration.ofSeconds(random.nextInt(10)),
                1 + random.nextDouble(),
                Duration.ofSeconds(10 + random.nextInt(10)))));
    }

    private void plain(RoleBuilder role) {
        template(role, false);
    }

    private void template(RoleScope<?> scope, boolean worker) {
        sometimes(() -> scope.image(random.nextBoolean() ? "10.0.0.1:5000/x:1" : "a/b@sha256:0f"));
        sometimes(() -> scope.command("run", text()));
        sometimes(() -> scope.args(text(), text()));
        sometimes(() -> scope.env("A", text()).env("NO", text()).env("_1", text()));
        sometimes(() -> scope.secretEnv("B", "s3", "secret").secretEnv("A", "a.b", "k_1"));
        sometimes(() -> scope.cpu((1 + random.nextInt(8000)) / 1000.0));
        sometimes(() -> scope.memory(1 + random.nextInt(5000) + one("Mi", "Ki", "k", "M", "G", "")));
        sometimes(() -> scope.gpu(random.nextInt(4)));
        sometimes(() -> scope.limit(Resources.of().cpu(8 + random.nextInt(8)).memory("8Ti")));
        sometimes(() -> scope.priority(one("high", "low", "gold.plated")));
        if (worker) {
            sometimes(() -> scope.priority(
                    random.nextBoolean()
                            ? Priority.fraction(random.nextDouble())
                            : Priority.leading(random.nextInt(101) / 100.0)));
        }
        sometimes(() -> scope.volume(
                Volume.claim("c", "/data/" + random.nextInt(1_000_000_000)).subPath("a,b;c=d")));
        sometimes(() -> scope.volume(Volume.hostPath("/mnt/x y", "/é/" + random.nextInt(1_000_000_000))
                .type("Socket")
                .readOnly(random.nextBoolean())));
        sometimes(
                () -> scope.volume(Volume.image("a.example:5000/b@sha256:1f", "/i/" + random.nextInt(1_000_000_000))));
        sometimes(() -> scope.port(1 + random.nextInt(65535)));
        sometimes(() -> scope.restart(one(RestartPolicy.values())));
        sometimes(() -> scope.exitCodes(
                new ExitCodePolicy(Set.of(1 + random.nextInt(100), 137), Set.of(101 + random.nextInt(20)))));
        sometimes(
                () -> scope.exitCodes(new ExitCodePolicy(Set.of(137), Set.of(70), Set.of(138 + random.nextInt(100)))));
        sometimes(() -> scope.exitCodes(new ExitCodePolicy(Set.of(), Set.of())));
        sometimes(() -> scope.relaunchLimit(random.nextInt(10)));
    }

    private int count() {
        return 1 + random.nextInt(9);
    }

    private String text() {
        return random.nextBoolean() ? one(TRICKY.toArray(String[]::new)) : noise();
    }

    private String noise() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            int c = random.nextInt(4) == 0 ? 1 + random.nextInt(0xffff) : ' ' + random.nextInt(95);
            // Half a surrogate pair is refused.
            text.append(Character.isSurrogate((char) c) ? 'x' : (char) c);
        }
        return text.toString();
    }

    @SafeVarargs
    private <T> T one(T... values) {
        return values[random.nextInt(values.length)];
    }

    private void sometimes(Runnable setting) {
        if (random.nextInt(3) == 0) {
            setting.run();
        }
    }
}
