package dev.edl.runtime.engine.ports;

import dev.edl.runtime.ps.ports.Term;
import java.util.Set;
import java.util.function.Function;

/** Hears of the masters that lead in this process, one after the other. On the master's thread. */
public interface MasterWatch {
    /** Hears nothing. */
    MasterWatch NONE = new MasterWatch() {};

    /** A master leads, and servers can register with it. It may wait for them. */
    default void registers(Term term, RegistrationPort registration) {}

    /**
     * Workers can work with the master.
     *
     * @param masters gives the worker of a name its end of the master
     * @param holders workers that hold tasks of an earlier master, and may be gone
     */
    default void serves(Term term, Function<String, MasterPort> masters, Set<String> holders) {}

    /** The master has left. */
    default void left(Term term) {}
}
