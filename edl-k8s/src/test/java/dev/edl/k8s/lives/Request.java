package dev.edl.k8s.lives;

/**
 * One request to the API server.
 *
 * @param client the mark of the driver that makes it
 * @param verb what it asks for
 * @param name of the object
 */
record Request(String client, Verb verb, String name) {
    /** What a driver asks the server for. */
    enum Verb {
        LIST_PODS,
        GET_POD,
        CREATE_POD,
        DELETE_POD,
        GET_RECORD,
        CREATE_RECORD,
        REPLACE_RECORD,
        DELETE_RECORD
    }

    @Override
    public String toString() {
        return client + " " + verb + " " + name;
    }
}
