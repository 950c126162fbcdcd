package dev.edl.testkit;

import static dev.edl.spec.Priority.HIGH;
import static dev.edl.spec.Priority.LOW;

import dev.edl.Job;
import dev.edl.JobBuilder;

/** Job that the tests assert on. */
final class Mnist {
    private Mnist() {}

    static JobBuilder builder() {
        return Job.named("mnist")
                .runId("r1")
                .image("registry.example/acme/mnist:1")
                .label("team", "vision")
                .annotation("note", "first")
                .env("LOG", "info")
                .master()
                .priority(HIGH)
                .request("cpu=2,memory=2048Mi")
                .ps(2)
                .priority(HIGH)
                .request("cpu=2,memory=4Gi")
                .limit("cpu=4")
                .volume("mount_path=/data,claim_name=files")
                .workers(4)
                .priority(LOW)
                .gpu(1)
                .env("LOG", "debug")
                .command("python", "train.py")
                .args("--epochs", "5")
                .elastic(1, 8);
    }

    static Job job() {
        return builder().build();
    }
}
