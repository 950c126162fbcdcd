package dev.edl.conformance.jobs;

/** The MxJob operator's example of a distributed job, with another image and a smaller load. */
public final class MxExample {
    private MxExample() {}

    public static String yaml(String namespace) {
        return """
                apiVersion: "mxnet.mlkube.io/v1beta1"
                kind: "MxJob"
                metadata: {name: example-dist-job, namespace: %s}
                spec:
                  RuntimeId: 1kkf
                  jobMode: dist
                  replicaSpecs:
                    - mxReplicaType: SCHEDULER
                      PsRootPort: 9091
                      template:
                        spec: {restartPolicy: OnFailure, containers: [%s]}
                    - replicas: 2
                      mxReplicaType: SERVER
                      template:
                        spec: {restartPolicy: OnFailure, containers: [%s]}
                    - replicas: 3
                      mxReplicaType: WORKER
                      template:
                        spec: {restartPolicy: OnFailure, containers: [%s]}
                """.formatted(namespace, container("sleep 3600"), container("sleep 3600"), container("sleep 1"));
    }

    private static String container(String then) {
        return "{name: mxnet, image: \"edl.local/busybox:1\", command: [sh, -c, \"echo $DMLC_PS_ROOT_PORT $DMLC_PS_ROOT_URI"
                + " $DMLC_NUM_SERVER $DMLC_NUM_WORKER $DMLC_ROLE; " + then + "\"]}";
    }
}
