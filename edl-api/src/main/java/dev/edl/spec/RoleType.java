package dev.edl.spec;

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

    /**
     * Returns a replica's name within its job: the role and the id, {@code worker-2}, or only the role if it has a
     * single replica, {@code master}.
     */
    public String replica(int id) {
        return single() ? id() : id() + "-" + id;
    }

    /**
     * Returns the role whose {@link #id()} equals {@code id}.
     *
     * @throws IllegalArgumentException if no role has this id
     */
    public static RoleType of(String id) {
        for (RoleType type : values()) {
            if (type.id().equals(id)) {
                return type;
            }
        }
        throw new IllegalArgumentException("\"" + id + "\" is not a role; roles are "
                + Arrays.stream(values()).map(RoleType::id).collect(Collectors.joining(", ")));
    }

    @Override
    public String toString() {
        return id();
    }
}
