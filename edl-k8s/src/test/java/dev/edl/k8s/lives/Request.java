package dev.edl.k8s.lives;

/**
 * Request to the API server.
 *
 * @param client token of the driver that makes it
 * @param verb of the request
 * @param name of the object
 */
record Request(String client, Verb verb, String name) {
    /** Verb of a request. */
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
