package dev.edl.bench;

import java.util.List;

/** The figures by group, in the order in which they are taken. */
final class Groups {
    private Groups() {}

    static List<Measurement> of(String group) {
        return switch (group) {
            case "runtime" -> runtime();
            case "composition" -> composition();
            case "kubernetes" -> kubernetes();
            default ->
                throw new IllegalArgumentException(
                        "there is no group \"" + group + "\"; there are runtime, composition and kubernetes");
        };
    }

    private static List<Measurement> composition() {
        return List.of(new CompositionTime(), new CompositionSize());
    }

    private static List<Measurement> kubernetes() {
        return List.of(new PodCreation(), new Relaunch(), new ManyReplicas());
    }

    private static List<Measurement> runtime() {
        return List.of(
                ShardSpeed.of("sgd", 12, 1.45, 6),
                ShardSpeed.of("momentum", 20, 1.45, 3.5),
                ShardSpeed.of("adam", 28, 1.3, 7),
                PyTorchStep.of(ModelCase.mlp(), 64, 1.2),
                PyTorchStep.of(ModelCase.mlp(), 256, 1.0),
                PyTorchStep.of(ModelCase.cnn(), 64, 1.0),
                PyTorchStep.of(ModelCase.cnn(), 256, 1.25),
                new SameDiffSpeed(),
                new TwoWorkers(ModelCase.mlp(), 64),
                new TwoWorkers(ModelCase.mlp(), 256),
                new TwoWorkers(ModelCase.cnn(), 64),
                WholeTraining.synchronous(64, 0.85),
                WholeTraining.synchronous(256, 0.92),
                WholeTraining.asynchronous(64, 0.88),
                WholeTraining.asynchronous(256, 0.94),
                new Collections(ModelCase.mlp()),
                new Join(),
                new Loss(),
                new RecordIoSpeed());
    }
}
