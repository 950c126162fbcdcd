package dev.edl.examples.digits;

import static dev.edl.spec.Priority.HIGH;
import static dev.edl.spec.Priority.LOW;

import dev.edl.Job;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.runtime.ConsoleReport;
import dev.edl.runtime.Training;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.data.Dataset;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.zoo.Mlp;
import java.time.Duration;

/** The Java of README.md: each region is the block of the same name there. */
final class ReadmeExamples {
    private ReadmeExamples() {}

    static Job line() {
        // region: line
        Job line = Job.builder().ps(2).workers(4).priority(LOW).gpu(1).build();

        System.out.println(line.explain());
        // end
        return line;
    }

    static Job firstJob() {
        // region: first-job
        Job job = Job.builder()
                .name("test-mnist")
                .image("registry.example/acme/mnist:1")
                .elasticdl()
                .master()
                .priority(HIGH)
                .request("cpu=2,memory=2048Mi")
                .ps(2)
                .priority(HIGH)
                .request("cpu=2,memory=2048Mi")
                .workers(4)
                .priority(LOW)
                .request("cpu=2,memory=2048Mi")
                .elastic(1, 8)
                .build();

        System.out.println(job.plan());
        // end
        return job;
    }

    static void training(Job job, Dataset train, Dataset test) throws InterruptedException {
        // region: training
        Training training = Training.builder()
                .model(Mlp.of(64, 128, 64, 10))
                .data(train)
                .validation(test)
                .optimizer(Optimizer.adam(0.001f))
                .minibatch(16)
                .epochs(20)
                .evaluationSteps(200)
                .build();

        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job)) {
            run.onTraining(ConsoleReport.to(System.out));
            run.delete("worker-0"); // worker-4 takes over
            run.scale("worker", 6); // worker-5 and worker-6 join
            TrainingResult result = run.awaitResult(Duration.ofMinutes(5)); // or throws the reason
            System.out.println(result.proof());
        }
        // end
    }

    static void kubernetes(Job job) throws InterruptedException {
        // region: kubernetes
        try (KubernetesExecutor cluster = KubernetesExecutor.fromEnvironment();
                KubernetesRun run = cluster.submit(job, event -> System.out.println(event))) {
            System.out.println(run.status()); // the table of kubectl get pods
            run.scale("worker", 6);
            System.out.println(run.awaitSuccess(Duration.ofHours(2)));
        }
        // end
    }
}
