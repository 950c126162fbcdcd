package dev.edl.runtime.program;

import java.util.Map;

/** What a replica writes to its standard output: ElasticDL's lines. A submitter that prints the events itself asks for none. */
final class ReplicaLog {
    /** {@code off} where the submitter prints what a replica would log. */
    static final String VARIABLE = "EDL_LOG";

    static final String OFF = "off";

    private final boolean on;

    private ReplicaLog(boolean on) {
        this.on = on;
    }

    static ReplicaLog of(Map<String, String> environment) {
        return new ReplicaLog(!OFF.equals(environment.get(VARIABLE)));
    }

    /** Writes what an event or a result says. */
    void line(Object said) {
        if (on) {
            System.out.println(said);
        }
    }
}
