package dev.edl.runtime.engine.ports;

import dev.edl.runtime.TrainingEvent;
import dev.edl.runtime.TrainingResult;
import dev.edl.runtime.ps.ports.Term;
import java.io.IOException;
import java.util.function.Function;

/** Listener for the masters that lead in this process, one after the other. Called on the master's thread. */
public interface LeadingMasterListener {
    /** Ignores all masters. */
    LeadingMasterListener NONE = new LeadingMasterListener() {};

    /** Called when a master leads and servers can register with it. The master may wait for them. */
    default void registers(Term term, RegistrationPort registration) {}

    /**
     * Called when workers can use the master.
     *
     * @param masters returns a worker's client of the master, by worker name
     */
    default void serves(Term term, Function<String, MasterPort> masters) {}

    /** Returns the event of an overdue replica with advice for people, if nothing replaces such a replica by itself. */
    default TrainingEvent.ReplicaAbsent advised(TrainingEvent.ReplicaAbsent overdue) {
        return overdue;
    }

    /** Called with the result of a training, before workers may leave. */
    default void finished(TrainingResult result) throws IOException, InterruptedException {}

    /** Called when the master has left. */
    default void left(Term term) {}
}
