package dev.edl.conformance.operators;

import dev.edl.conformance.Checks;
import dev.edl.conformance.Kubectl;
import dev.edl.conformance.jobs.MxExample;

/**
 * Jobs that a controller runs to their end: the distributed and the local example of the MxJob operator, and a TfJob of a
 * master alone. Each has its table of {@code kubectl get}.
 */
final class ShortJobs {
    private static final String COLUMNS = "NAME KINDS PHASE STATE";

    /** The local example is of the operator's older group. */
    private static final String LOCAL = """
            apiVersion: "mlkube.io/v1beta1"
            kind: "MxJob"
            metadata: {name: example-local-job, namespace: %s}
            spec:
              RuntimeId: 1kkf
              jobMode: local
              replicaSpecs:
                - replicas: 1
                  mxReplicaType: WORKER
                  template:
                    spec: {restartPolicy: OnFailure, containers: [{name: mxnet, image: "edl.local/busybox:1",
                      command: [sh, -c, "echo ${DMLC_ROLE:-alone}"]}]}
            """;

    private static final String MASTER = """
            apiVersion: "tensorflow.org/v1alpha1"
            kind: "TfJob"
            metadata: {name: master-alone, namespace: %s}
            spec:
              RuntimeId: 76no
              replicaSpecs:
                - tfReplicaType: MASTER
                  template:
                    spec: {restartPolicy: OnFailure, containers: [{name: tensorflow, image: "edl.local/busybox:1",
                      command: [sh, -c, "echo $TF_CONFIG"]}]}
            """;

    private ShortJobs() {}

    static void check(String namespace) throws Exception {
        ends(
                MxExample.yaml(namespace),
                namespace,
                "mxjobs.mxnet.mlkube.io",
                "example-dist-job",
                "example-dist-job-worker-1kkf-2",
                "9091 example-dist-job-scheduler-1kkf-0 2 3 worker");
        said(
                "an MxJob of a scheduler, 2 servers and 3 workers",
                namespace,
                "mxjobs.mxnet.mlkube.io",
                "example-dist-job MxJob");
        ends(
                LOCAL.formatted(namespace),
                namespace,
                "mxjobs.mlkube.io",
                "example-local-job",
                "example-local-job-worker-1kkf-0",
                "alone");
        said("a local MxJob", namespace, "mxjobs.mlkube.io", "example-local-job MxJob");
        ends(
                MASTER.formatted(namespace),
                namespace,
                "tfjobs.tensorflow.org",
                "master-alone",
                "master-alone-master-76no-0",
                "{\"cluster\":{\"master\":[\"master-alone-master-76no-0:2222\"]},"
                        + "\"task\":{\"type\":\"master\",\"index\":0},\"environment\":\"cloud\"}");
        said("a TfJob of a master alone", namespace, "tfjobs.tensorflow.org", "master-alone TfJob");
    }

    /** Creates a job, waits for its success, and checks what one of its pods printed. */
    private static void ends(String yaml, String namespace, String kind, String name, String pod, String printed)
            throws Exception {
        Kubectl.run("create", "-f", Checks.file(yaml));
        Checks.until(
                name + " succeeds",
                () -> Kubectl.run("get", "-n", namespace, kind, name, "-o", "yaml"),
                () -> Kubectl.run("get", "-n", namespace, kind, name, "-o", "jsonpath={.status.phase} {.status.state}")
                        .equals("Done Succeeded"));
        String log = Kubectl.run("logs", "-n", namespace, pod).strip();
        Checks.check(log.equals(printed), pod + " was to print " + printed + ", printed " + log);
    }

    private static void said(String job, String namespace, String kind, String row) {
        System.out.println("kubernetes: " + job + " ran to its end: "
                + Kubectl.table(namespace, kind, COLUMNS, row + " Done Succeeded"));
    }
}
