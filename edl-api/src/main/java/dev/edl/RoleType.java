package dev.edl;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The roles that a replica can have; the words are TensorFlow's, MXNet's, Horovod's and ElasticDL's own. */
public enum RoleType {
    /** Hands out the work (ElasticDL) or leads the training (TensorFlow 1). One replica. */
    MASTER,
    /** Leads the training and saves the model (TensorFlow 2). One replica. */
    CHIEF,
    /** Parameter server: keeps a part of the parameters. */
    PS,
    /** Computes gradients. */
    WORKER,
    /** Evaluates beside the training. One replica. */
    EVALUATOR,
    /** MXNet's scheduler. One replica. */
    SCHEDULER,
    /** MXNet's parameter server. */
    SERVER,
    /** Starts the processes of a Horovod or MPI job. One replica. */
    LAUNCHER;

    /** The role's word in names, labels and text: {@code worker}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a job can have at most one replica of this role. */
    public boolean single() {
        return this == MASTER || this == CHIEF || this == EVALUATOR || this == SCHEDULER || this == LAUNCHER;
    }

    /** What one of its replicas is called within a job: {@code worker-2}, {@code master}. */
    public String replica(int id) {
        return single() ? id() : id() + "-" + id;
    }

    /**
     * The role of a word.
     *
     * @throws IllegalArgumentException for a word that is no role
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
