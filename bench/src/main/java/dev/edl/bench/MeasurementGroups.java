package dev.edl.bench;

import dev.edl.bench.composition.CompositionSize;
import dev.edl.bench.composition.CompositionTime;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.kubernetes.ClassDeliveryTime;
import dev.edl.bench.kubernetes.DriverCostGrowth;
import dev.edl.bench.kubernetes.PodCreation;
import dev.edl.bench.kubernetes.RelaunchTime;
import dev.edl.bench.kubernetes.TrainingPods;
import dev.edl.bench.remote.ExchangeTime;
import dev.edl.bench.remote.ProcessTrainingSpeed;
import dev.edl.bench.runtime.BenchmarkModel;
import dev.edl.bench.runtime.GarbageCollectionCount;
import dev.edl.bench.runtime.JoinTime;
import dev.edl.bench.runtime.JvmSharingCost;
import dev.edl.bench.runtime.PyTorchStep;
import dev.edl.bench.runtime.RecordIoSpeed;
import dev.edl.bench.runtime.SameDiffSpeed;
import dev.edl.bench.runtime.SlowReadSpeed;
import dev.edl.bench.runtime.SurvivingWorkerSpeed;
import dev.edl.bench.runtime.WholeTraining;
import dev.edl.bench.runtime.WorkerLossCost;
import dev.edl.bench.runtime.shards.CutPauseTime;
import dev.edl.bench.runtime.shards.ShardSpeed;
import java.util.List;

/** Measurements by group, in the order in which they run. */
final class MeasurementGroups {
    private MeasurementGroups() {}

    static List<Measurement> of(String group) {
        return switch (group) {
            case "runtime" -> runtime();
            case "composition" -> composition();
            case "kubernetes" -> kubernetes();
            case "remote" -> List.of(new ExchangeTime(), new ProcessTrainingSpeed());
            default ->
                throw new IllegalArgumentException(
                        "there is no group \"" + group + "\"; there are runtime, composition, kubernetes and remote");
        };
    }

    private static List<Measurement> composition() {
        return List.of(new CompositionTime(), new CompositionSize());
    }

    private static List<Measurement> kubernetes() {
        return List.of(
                new PodCreation(),
                new RelaunchTime(),
                new TrainingPods(),
                new ClassDeliveryTime(),
                new DriverCostGrowth());
    }

    private static List<Measurement> runtime() {
        return List.of(
                ShardSpeed.of("sgd", 12, 1.45, 6),
                JvmSharingCost.shards("sgd", ShardSpeed.text("sgd")),
                ShardSpeed.of("momentum", 20, 1.45, 3.5),
                JvmSharingCost.shards("momentum", ShardSpeed.text("momentum")),
                ShardSpeed.of("adam", 28, 1.3, 7),
                JvmSharingCost.shards("adam", ShardSpeed.text("adam")),
                PyTorchStep.of(BenchmarkModel.mlp(), 64, 1.2),
                PyTorchStep.of(BenchmarkModel.mlp(), 256, 1.0),
                PyTorchStep.of(BenchmarkModel.cnn(), 64, 1.0),
                PyTorchStep.of(BenchmarkModel.cnn(), 256, 1.25),
                new SameDiffSpeed(),
                JvmSharingCost.workers(BenchmarkModel.mlp(), 64),
                JvmSharingCost.workers(BenchmarkModel.mlp(), 256),
                JvmSharingCost.workers(BenchmarkModel.cnn(), 64),
                // A step of the loop takes about 480 us at 64 records and 1,600 us at 256. The engine adds at most 31
                // us: 12
                // for the look for NaN, 4 for the ledger, 15 for what a push does beside the update. In rounds it adds
                // some
                // 30 us more, since the last of a round applies both gradients while the other waits. That makes 0.89
                // and
                // 0.96 in rounds, 0.94 and 0.98 without. The goals leave 1 to 4 % to noise: rounds differ most at 256.
                WholeTraining.synchronous(64, 0.88),
                WholeTraining.synchronous(256, 0.92),
                WholeTraining.asynchronous(64, 0.92),
                WholeTraining.asynchronous(256, 0.96),
                new SlowReadSpeed(),
                new GarbageCollectionCount(BenchmarkModel.mlp()),
                new CutPauseTime(),
                new JoinTime(),
                new WorkerLossCost(),
                new SurvivingWorkerSpeed(),
                new RecordIoSpeed());
    }
}
