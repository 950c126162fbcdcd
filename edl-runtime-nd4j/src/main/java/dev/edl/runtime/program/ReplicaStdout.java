package dev.edl.runtime.program;

import java.util.Map;

/** Standard output of a replica: ElasticDL's lines. A submitter that prints the events itself disables it. */
final class ReplicaStdout {
    /** Environment variable with the value {@code off} if the submitter prints what a replica would log. */
    static final String VARIABLE = "EDL_LOG";

    static final String OFF = "off";

    private final boolean on;

    private ReplicaStdout(boolean on) {
        this.on = on;
    }

    static ReplicaStdout of(Map<String, String> environment) {
        return new ReplicaStdout(!OFF.equals(environment.get(VARIABLE)));
    }

    /** Writes the text of an event or a result. */
    void println(Object value) {
        if (on) {
            System.out.println(value);
        }
    }
}
