package dev.edl.runtime.program;

import dev.edl.runtime.ConnectionSettings;
import dev.edl.runtime.PassSpec;
import dev.edl.runtime.Training;
import dev.edl.runtime.model.Model;
import java.time.Duration;

/**
 * Settings of a training or a pass that its connections depend on.
 *
 * @param seed seed of the initial parameters
 * @param shards number of parameter servers; of a pass 1, which is the size of the one model that it sends
 * @param absenceTimeout the longest wait for another replica, port or lock
 */
record ReplicaSettings(Model model, long seed, int shards, Duration absenceTimeout, ConnectionSettings connections) {
    static ReplicaSettings of(Training training, ReplicaEnvironment replica) {
        return new ReplicaSettings(
                training.model(), training.seed(), replica.shards(), training.absenceTimeout(), training.connections());
    }

    static ReplicaSettings of(PassSpec pass) {
        return new ReplicaSettings(pass.model(), 0, 1, pass.absenceTimeout(), pass.connections());
    }
}
