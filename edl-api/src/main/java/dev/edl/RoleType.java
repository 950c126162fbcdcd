package dev.edl;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Roles of a job's replicas, with the names that TensorFlow, MXNet, Horovod and ElasticDL give them. */
public enum RoleType {
    /** Assigns tasks (ElasticDL) or leads the training (TensorFlow 1). One replica. */
    MASTER,
    /** Leads the training and saves the model (TensorFlow 2). One replica. */
    CHIEF,
    /** Parameter server: stores a part of the parameters. */
    PS,
    /** Computes gradients. */
    WORKER,
    /** Evaluates checkpoints during the training. One replica. */
    EVALUATOR,
    /** MXNet's scheduler. One replica. */
    SCHEDULER,
    /** MXNet's parameter server. */
    SERVER,
    /** Starts the processes of a Horovod or MPI job. One replica. */
    LAUNCHER;

    /** Returns the role's id in names, labels and text: {@code worker}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether a job can have at most one replica of this role. */
    public boolean single() {
        return this == MASTER || this == CHIEF || this == EVALUATOR || this == SCHEDULER || this == LAUNCHER;
    }

    /** Returns the name of a replica within a job: {@code worker-2}, {@code master}. */
    public String replica(int id) {
        return single() ? id() : id() + "-" + id;
    }

    /**
     * Returns the role with an id.
     *
     * @throws IllegalArgumentException when no role has that id
     */
    public static RoleType of(String id) {
        for (RoleType type : values()) {
            if (type.id().equals(id)) {
                return type;
            }
        }
        throw new IllegalArgumentException("\"" + id + "\" is no role; roles are "
                + Arrays.stream(values()).map(RoleType::id).collect(Collectors.joining(", ")));
    }

    @Override
    public String toString() {
        return id();
    }
}
