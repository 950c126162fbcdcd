package dev.edl.examples.pods;

import dev.edl.Job;
import dev.edl.image.ClaimedProgram;
import dev.edl.image.ClassPathClaim;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.LogFollower;
import dev.edl.k8s.render.PodOptions;
import dev.edl.program.ProgramClassPath;
import dev.edl.runtime.ConsoleReport;
import dev.edl.runtime.Training;
import dev.edl.runtime.data.ArrayDataset;
import dev.edl.runtime.optimizers.Optimizer;
import dev.edl.runtime.program.MasterLog;
import dev.edl.runtime.program.ProgramJobs;
import dev.edl.runtime.program.TrainingProgram;
import dev.edl.runtime.zoo.Mlp;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.Random;

/**
 * Trains a network in pods, without an image of its own: its class path goes onto the claim {@code edl-classes}. The
 * network learns which points are inside a circle.
 */
// region: program
public final class TrainInPods {
    private static final String NAMESPACE = "default";
    private static final String IMAGE = "eclipse-temurin:17-jre";

    public static void main(String[] args) throws Exception {
        if (TrainingProgram.isReplica()) {
            TrainingProgram.run(args, TrainInPods::training);
        }
        // The image's own user is root, which pods of EDL must not be.
        PodOptions user = PodOptions.builder().runAsUser(1000).build();
        try (KubernetesClient client = new KubernetesClientBuilder().build();
                KubernetesExecutor executor = KubernetesExecutor.using(client, user)) {
            ClaimedProgram program = ClassPathClaim.of(client, NAMESPACE, "edl-classes")
                    .podOptions(user)
                    .upload(ProgramClassPath.of(TrainInPods.class), IMAGE);
            System.out.println(program.sentBytes() + " bytes were sent");
            Job job = program.on(ProgramJobs.image(IMAGE))
                    .name("circle")
                    .ps(1)
                    .workers(2)
                    .build();
            try (KubernetesRun run = executor.submit(job);
                    MasterLog training = MasterLog.of(job.name());
                    LogFollower log = run.logs("master", training)) {
                training.onTraining(ConsoleReport.to(System.out));
                run.awaitSuccess(Duration.ofMinutes(5));
                log.awaitEnd(Duration.ofMinutes(1));
                System.out.println(training.result().orElseThrow());
            } finally {
                executor.delete(NAMESPACE, job.name());
            }
        }
    }

    static Training training() {
        Random random = new Random(7);
        float[][] points = new float[4000][];
        int[] inside = new int[points.length];
        for (int i = 0; i < points.length; i++) {
            points[i] = new float[] {random.nextFloat() * 2 - 1, random.nextFloat() * 2 - 1};
            inside[i] = Math.hypot(points[i][0], points[i][1]) < 0.8 ? 1 : 0;
        }
        return Training.builder()
                .model(Mlp.of(2, 16, 2))
                .data(ArrayDataset.of(points, inside))
                .optimizer(Optimizer.adam(0.01f))
                .minibatch(32)
                .epochs(10)
                .build();
    }
}
// end
