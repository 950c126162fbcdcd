package {{package}};

import dev.edl.Job;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.LogFollower;
import dev.edl.runtime.ConsoleReport;
import dev.edl.runtime.inprocess.InProcessExecutor;
import dev.edl.runtime.inprocess.TrainingRun;
import dev.edl.runtime.program.MasterLog;
import dev.edl.runtime.program.TrainingProgram;
import java.time.Duration;
import java.util.List;

/** Trains in this JVM, as processes of this machine, or in pods of a cluster. In a pod, it is a replica of the job. */
public final class Main {
    private static final String USAGE = "usage: java -jar {{name}}.jar [--processes | --submit IMAGE]";

    private Main() {}

    public static void main(String[] args) throws Exception {
        List<String> flags = List.of(args);
        if (TrainingProgram.isReplica() || flags.equals(List.of("--processes"))) {
            TrainingProgram.run(args, PointsJob::roles, PointsTraining::training);
        } else if (flags.isEmpty()) {
            trainHere();
        } else if (flags.size() == 2 && flags.get(0).equals("--submit")) {
            submit(PointsJob.ofImage(flags.get(1)));
        } else {
            System.err.println(USAGE);
            System.exit(1);
        }
    }

    private static void trainHere() throws Exception {
        try (InProcessExecutor executor = InProcessExecutor.of(PointsTraining.training());
                TrainingRun run = executor.submit(PointsJob.here())) {
            run.onTraining(ConsoleReport.to(System.out));
            System.out.println(run.awaitResult(Duration.ofMinutes(5)));
        }
    }

    private static void submit(Job job) throws Exception {
        try (KubernetesExecutor executor = KubernetesExecutor.fromEnvironment()) {
            try (KubernetesRun run = executor.submit(job);
                    MasterLog training = MasterLog.of(job.name());
                    LogFollower log = run.logs("master", training)) {
                training.onTraining(ConsoleReport.to(System.out));
                run.awaitSuccess(Duration.ofMinutes(30));
                log.awaitEnd(Duration.ofMinutes(1));
                System.out.println(training.result().orElseThrow());
            }
            executor.delete(job.namespace(), job.name());
        }
    }
}
