package dev.edl.conformance.operators;

/** A TrainingJob of et-operator and the requests to scale it, as a user writes them. */
final class TrainingJobTexts {
    /** Like Horovod: a process named like ssh's for each host, which ends some time after the host was removed. */
    private static final String LAUNCHER = """
            printf 'sleep 100000 & trap "kill $!; exit" TERM; wait' >/tmp/ssh
            while [ ! -e /tmp/end ]; do
              for host in $(sh /etc/edl/discover_hosts.sh); do
                name=${host%:*}
                [ -e /tmp/on-$name ] || { sh /tmp/ssh $name & echo $! >/tmp/on-$name; }
              done
              for on in /tmp/on-*; do
                name=${on#/tmp/on-}
                if [ -e /tmp/free ] && ! sh /etc/edl/discover_hosts.sh | grep -q "^$name:"; then
                  kill $(cat $on); rm -f $on
                fi
              done
              sleep 0.2
            done
            sleep 1
            exit $(cat /tmp/end)
            """;

    private TrainingJobTexts() {}

    static String job(String name) {
        return """
                apiVersion: kai.alibabacloud.com/v1alpha1
                kind: TrainingJob
                metadata:
                  name: %s
                spec:
                  cleanPodPolicy: Running
                  etReplicaSpecs:
                    launcher:
                      replicas: 1
                      template: {spec: {terminationGracePeriodSeconds: 1, containers: [{name: launcher, image: "edl.local/busybox:1",
                        command: [sh, -c, %s]}]}}
                    worker:
                      replicas: 2
                      minReplicas: 1
                      maxReplicas: 9
                      template: {spec: {terminationGracePeriodSeconds: 1, containers: [{name: worker, image: "edl.local/busybox:1",
                        command: [sh, -c, "trap 'exit 0' TERM; sleep 100000 & wait"]}]}}
                """.formatted(
                name,
                "\"" + LAUNCHER.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"");
    }

    static String scaler(String job, String kind, String name, String change, int timeout) {
        return """
                apiVersion: kai.alibabacloud.com/v1alpha1
                kind: %s
                metadata: {name: %s}
                spec:
                  selector: {name: %s}
                  %s: %s
                  timeout: %d
                """.formatted(kind, name, job, kind.equals("ScaleIn") ? "toDelete" : "toAdd", change, timeout);
    }
}
