package dev.edl.bench;

import dev.edl.bench.composition.CompositionSize;
import dev.edl.bench.composition.CompositionTime;
import dev.edl.bench.harness.Measurement;
import dev.edl.bench.kubernetes.ClassDeliveryTime;
import dev.edl.bench.kubernetes.ManyReplicas;
import dev.edl.bench.kubernetes.PodCreation;
import dev.edl.bench.kubernetes.Relaunch;
import dev.edl.bench.kubernetes.TrainingPods;
import dev.edl.bench.remote.Exchanges;
import dev.edl.bench.remote.Processes;
import dev.edl.bench.runtime.GarbageCollections;
import dev.edl.bench.runtime.JoinTime;
import dev.edl.bench.runtime.JvmSharingCost;
import dev.edl.bench.runtime.ModelCase;
import dev.edl.bench.runtime.PyTorchStep;
import dev.edl.bench.runtime.RecordIoSpeed;
import dev.edl.bench.runtime.SameDiffSpeed;
import dev.edl.bench.runtime.SlowRead;
import dev.edl.bench.runtime.SurvivorSpeed;
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
            case "remote" -> List.of(new Exchanges(), new Processes());
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
                new PodCreation(), new Relaunch(), new TrainingPods(), new ClassDeliveryTime(), new ManyReplicas());
    }

    private static List<Measurement> runtime() {
        return List.of(
                ShardSpeed.of("sgd", 12, 1.45, 6),
                JvmSharingCost.shards("sgd", ShardSpeed.text("sgd")),
                ShardSpeed.of("momentum", 20, 1.45, 3.5),
                JvmSharingCost.shards("momentum", ShardSpeed.text("momentum")),
                ShardSpeed.of("adam", 28, 1.3, 7),
                JvmSharingCost.shards("adam", ShardSpeed.text("adam")),
                PyTorchStep.of(ModelCase.mlp(), 64, 1.2),
                PyTorchStep.of(ModelCase.mlp(), 256, 1.0),
                PyTorchStep.of(ModelCase.cnn(), 64, 1.0),
                PyTorchStep.of(ModelCase.cnn(), 256, 1.25),
                new SameDiffSpeed(),
                JvmSharingCost.workers(ModelCase.mlp(), 64),
                JvmSharingCost.workers(ModelCase.mlp(), 256),
                JvmSharingCost.workers(ModelCase.cnn(), 64),
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
                new SlowRead(),
                new GarbageCollections(ModelCase.mlp()),
                new CutPauseTime(),
                new JoinTime(),
                new WorkerLossCost(),
                new SurvivorSpeed(),
                new RecordIoSpeed());
    }
}
