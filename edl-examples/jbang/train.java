///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVA 17+
//DEPS dev.edl:edl-notebook:0.1.0-SNAPSHOT

import dev.edl.Job;
import dev.edl.runtime.ConsoleReport;
import dev.edl.runtime.Training;
import dev.edl.runtime.data.Datasets;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.zoo.Mlp;
import dev.edl.runtime.optimizers.Optimizer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Learns which points lie within a circle while a worker is deleted: jbang train.java. One dependency provides
 * everything.
 */
class train {
    public static void main(String... args) throws InterruptedException {
        Random random = new Random(42);
        List<double[]> points = Stream.generate(() -> new double[] {random.nextDouble(-1, 1), random.nextDouble(-1, 1)})
                .limit(2000)
                .toList();
        var split = Datasets.split(
                Datasets.of(points, 2, 1, (point, into) -> {
                    int row = into.row();
                    into.features()[2 * row] = (float) point[0];
                    into.features()[2 * row + 1] = (float) point[1];
                    into.labels()[row] = Math.hypot(point[0], point[1]) < 0.8 ? 1 : 0;
                }),
                0.25);
        Training training = Training.builder()
                .model(Mlp.of(2, 16, 2))
                .data(split.train())
                .validation(split.test())
                .optimizer(Optimizer.adam(0.01f))
                .epochs(30)
                .build();
        Job job = Job.named("circle").elasticdl().ps(1).workers(3).elastic(1, 4).build();
        try (InProcessExecutor executor = InProcessExecutor.of(training);
                TrainingRun run = executor.submit(job)) {
            run.onTraining(ConsoleReport.to(System.out));
            run.delete("worker-0"); // worker-3 takes over
            System.out.println(run.awaitResult(Duration.ofMinutes(1)).proof());
        }
    }
}
