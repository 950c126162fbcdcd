package dev.edl.conformance.preflight;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.k8s.preflight.PreflightReport;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodSecurity;
import dev.edl.operators.CustomResourcePreflight;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.kubeflow.KubeflowTfJobs;
import dev.edl.plan.Profile;
import dev.edl.spec.Priority;
import dev.edl.spec.Volume;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import org.junit.jupiter.api.Test;

/**
 * Checks the preflight: each problem is created, reported in exact words and removed, by the command of the report if it
 * has one; then the job runs.
 */
@OnCluster(value = "--nodes 0 --fake 2", alone = true)
class PreflightCheck {
    private final KubernetesClient client;

    private PreflightCheck(KubernetesClient client) {
        this.client = client;
    }

    @Test
    void preflight_finds_what_stops_a_job() throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            PreflightCheck check = new PreflightCheck(client);
            check.namespace();
            check.priorityClass();
            check.accountAndRuntime();
            check.quota();
            check.limitRange();
            check.admission();
            check.podSecurity();
            check.claim();
            check.secrets();
            check.names();
            check.kind();
            check.nodes();
        }
    }

    private void namespace() throws InterruptedException {
        PreflightCase missing = new PreflightCase(client, client, "pf-namespace");
        PreflightReport report = missing.finds(missing.job(), PodOptions.none(), """
                error: namespace: namespace "NS" is missing
                  why: every object of the job is created in it
                  fix: create it, or use another one: namespace("default")
                       $ kubectl create namespace NS""");
        missing.fix(report);
        PreflightCase.accounted(client, "pf-namespace");
        missing.runs(missing.job(), PodOptions.none());

        PreflightCase ending = new PreflightCase(client, "pf-ending");
        PreflightCase.shell("kubectl create configmap held --namespace pf-ending"
                + " && kubectl patch configmap held --namespace pf-ending --patch '{\"metadata\":{\"finalizers\":[\"edl.dev/held\"]}}'"
                + " && kubectl delete namespace pf-ending --wait=false");
        ending.finds(ending.job(), PodOptions.none(), """
                error: namespace: namespace "NS" is being deleted
                  why: the API server refuses new objects in it
                  fix: wait until it is gone and create it again, or use another one: namespace("default")
                       $ kubectl wait --for=delete namespace/NS --timeout=5m; kubectl create namespace NS""");
        PreflightCase.shell(
                "kubectl patch configmap held --namespace pf-ending --type merge --patch '{\"metadata\":{\"finalizers\":null}}'");
        System.out.println("kubernetes: a namespace that is missing, and one that is being deleted");
    }

    private void priorityClass() throws InterruptedException {
        PreflightCase missing = new PreflightCase(client, "pf-priority");
        JobBuilder job = missing.job().priority(Priority.of("urgent"));
        missing.cured(job, """
                error: worker.priority: PriorityClass "urgent" is missing
                  why: the API server refuses pods of an unknown PriorityClass
                  fix: create it with the job: PodOptions.builder().priorityClass("urgent", 1000000);\
                 an administrator decides whether its pods may preempt others
                       $ kubectl create priorityclass urgent --value=1000000 --preemption-policy=Never""");
        missing.finds(job, PodOptions.builder().priorityClass("urgent", 7).build(), """
                warning: PodOptions.priorityClass("urgent"): PriorityClass "urgent" has the value 1000000, but the options set 7
                  why: an existing class is not changed, because other jobs may use it
                  fix: use priorityClass("urgent", 1000000), or choose another name""");
        missing.runs(
                missing.job().priority(Priority.of("made")),
                PodOptions.builder().priorityClass("made", 7).build());
        System.out.println(
                "kubernetes: a priority class that is missing, made with the job, or there with another value");
    }

    private void accountAndRuntime() throws InterruptedException {
        PreflightCase missing = new PreflightCase(client, "pf-account");
        PodOptions options = PodOptions.builder()
                .serviceAccount("trainer")
                .pod(pod -> pod.edit()
                        .editSpec()
                        .withRuntimeClassName("gvisor")
                        .endSpec()
                        .build())
                .build();
        missing.cured(missing.job(), options, """
                error: master.pod.runtimeClassName, worker.pod.runtimeClassName: RuntimeClass "gvisor" is missing
                  why: the API server refuses pods of an unknown RuntimeClass
                  fix: remove it from the job, or create it; its handler is the name of a runtime in the nodes' containerd
                       $ echo '{"apiVersion":"node.k8s.io/v1","kind":"RuntimeClass","metadata":{"name":"gvisor"},"handler":"gvisor"}'\
                 | kubectl create --filename -""", """
                error: master.serviceAccount, worker.serviceAccount: ServiceAccount "trainer" is missing
                  why: the API server refuses pods of an unknown ServiceAccount
                  fix: create it, or remove serviceAccount("trainer")
                       $ kubectl create serviceaccount trainer --namespace NS""");
        System.out.println("kubernetes: a service account and a runtime class that are missing");
    }

    private void quota() throws InterruptedException {
        PreflightCase small = new PreflightCase(client, "pf-quota");
        PreflightCase.shell("kubectl create quota small --namespace pf-quota --hard=pods=2,requests.cpu=25m");
        Checks.until(
                "the quota counts",
                () -> client.resourceQuotas().inNamespace("pf-quota").list().getItems(),
                () -> client.resourceQuotas()
                                .inNamespace("pf-quota")
                                .withName("small")
                                .get()
                                .getStatus()
                                .getUsed()
                                .size()
                        == 2);
        String few =
                "master.request, worker.request: ResourceQuota \"small\" has too little left: pods: 2 of 2 left, the"
                        + " job needs 3;"
                        + " requests.cpu: 25m of 25m left, the job needs 30m\n";
        String fix = "  fix: request less, use fewer replicas, or ask the quota's administrator to raise it to"
                + " pods=3,requests.cpu=30m";
        small.finds(
                small.job().elastic(1, 4),
                PodOptions.none(),
                "warning: " + few
                        + "  why: the API server refuses some of the pods; the job runs with the minimum of its"
                        + " elastic roles\n"
                        + fix);
        small.finds(Job.named("mnist").namespace("pf-quota").image("x").master().workers(1), PodOptions.none(), """
                error: master.request, worker.request: the pods do not set requests.cpu
                  why: ResourceQuota "small" counts it, so every container must set it
                  fix: set request("cpu=1"), or ask the namespace's administrator for a LimitRange with defaults""");
        small.finds(
                small.job(),
                PodOptions.none(),
                "error: " + few + "  why: the API server refuses the pods above the quota\n" + fix);
        PreflightCase.shell("kubectl patch resourcequota small --namespace pf-quota --type merge --patch"
                + " '{\"spec\":{\"hard\":{\"pods\":\"3\",\"requests.cpu\":\"30m\"}}}'");
        small.runs(small.job(), PodOptions.none());
        System.out.println(
                "kubernetes: a quota with too little left for all, or for the least, and one that counts what is not said");
    }

    private void limitRange() throws InterruptedException {
        PreflightCase bounded = new PreflightCase(client, "pf-range");
        PreflightCase.shell(
                "echo '{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"bounds\",\"namespace\":\"pf-range\"},"
                        + "\"spec\":{\"limits\":[{\"type\":\"Container\",\"min\":{\"cpu\":\"20m\"},\"max\":{\"memory\":\"32Mi\"}}]}}' | kubectl create -f -");
        bounded.finds(sized("pf-range", "cpu=10m,memory=64Mi"), PodOptions.none(), """
                error: master.request, worker.request: LimitRange "bounds" does not allow the pods
                  why: container elasticdl must have a cpu request of 20m at least, requests 10m;\
                 container elasticdl may have a memory limit of 32Mi at most,\
                 has the limit 64Mi
                  fix: set request("cpu=20m") and limit("memory=32Mi"), \
                or ask the namespace's administrator to change the LimitRange""");
        bounded.runs(sized("pf-range", "cpu=20m,memory=32Mi"), PodOptions.none());
        System.out.println("kubernetes: a limit range that does not allow the pods");
    }

    private void admission() throws InterruptedException {
        PreflightCase changed = new PreflightCase(client, "pf-admission");
        PreflightCase.shell("echo '{\"apiVersion\":\"node.k8s.io/v1\",\"kind\":\"RuntimeClass\","
                + "\"metadata\":{\"name\":\"heavy\"},\"handler\":\"heavy\",\"overhead\":{\"podFixed\":{\"cpu\":\"7995m\"}}}'"
                + " | kubectl create --filename -");
        changed.finds(
                changed.job(),
                PodOptions.builder()
                        .pod(pod -> pod.edit()
                                .editSpec()
                                .withRuntimeClassName("heavy")
                                .endSpec()
                                .build())
                        .build(),
                """
                error: master.request, worker.request: the pods fit no node
                  why: of 2 nodes: 2 with cpu of 8 (8005m requested, of which the API server adds 7995m)
                  fix: set request("cpu=5m") at most""");
        PreflightCase.shell(
                "echo '{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"defaults\",\"namespace\":\"pf-admission\"},"
                        + "\"spec\":{\"limits\":[{\"type\":\"Container\",\"default\":{\"cpu\":\"9\"}}]}}' | kubectl create --filename -");
        changed.finds(sized("pf-admission", "memory=16Mi"), PodOptions.none(), """
                error: master.request, worker.request: the pods fit no node
                  why: of 2 nodes: 2 with cpu of 8 (9 requested)
                  fix: set request("cpu=8") at most""");
        changed.runs(changed.job(), PodOptions.none());
        System.out.println("kubernetes: the overhead of a runtime class, and the default request of a limit range");
    }

    private static JobBuilder sized(String namespace, String request) {
        return Job.named("mnist")
                .namespace(namespace)
                .image("x")
                .request(request)
                .master()
                .workers(2);
    }

    private void podSecurity() throws InterruptedException {
        PreflightCase restricted = new PreflightCase(client, "pf-restricted");
        PreflightCase.shell("kubectl label namespace pf-restricted pod-security.kubernetes.io/enforce=restricted");
        restricted.clean(restricted.job(), PodOptions.none());
        PodOptions given = PodOptions.builder().security(PodSecurity.AS_GIVEN).build();
        restricted.finds(restricted.job(), given, """
                error: master.security, worker.security: pods need more than the namespace's Pod Security level "restricted" allows
                  why: CONTEXT.allowPrivilegeEscalation must be false, was not given; CONTEXT.runAsNonRoot must be true, here or for the\
                 pod, was not given; CONTEXT.seccompProfile.type must be RuntimeDefault or Localhost, here or for the pod, was not given;\
                 CONTEXT.capabilities.drop must hold ALL, was not given
                  fix: remove security(AS_GIVEN), or run the job in a namespace of level "baseline", which its administrator sets""".replace("CONTEXT", "spec.containers[elasticdl].securityContext"));
        PreflightCase.shell(
                "kubectl label namespace pf-restricted --overwrite pod-security.kubernetes.io/enforce=baseline");
        restricted.runs(restricted.job(), given);

        PreflightCase baseline = new PreflightCase(client, "pf-baseline");
        PreflightCase.shell("kubectl label namespace pf-baseline pod-security.kubernetes.io/enforce=baseline");
        JobBuilder mounting = baseline.job().volume(Volume.hostPath("/data", "/data"));
        baseline.finds(mounting, PodOptions.none(), """
                error: worker.security: pods need more than the namespace's Pod Security level "baseline" allows
                  why: hostPath volumes (volume "volume-0")
                  fix: remove that, or run the job in a namespace of level "privileged", which its administrator sets""");
        PreflightCase.shell(
                "kubectl label namespace pf-baseline --overwrite pod-security.kubernetes.io/enforce=privileged");
        baseline.runs(mounting, PodOptions.none());
        System.out.println("kubernetes: pods that the levels restricted and baseline of Pod Security do not allow");
    }

    private void claim() throws InterruptedException {
        PreflightCase missing = new PreflightCase(client, "pf-claim");
        JobBuilder job = missing.job().volume(Volume.claim("data", "/data"));
        missing.fix(missing.finds(job, PodOptions.none(), """
                error: worker.volume: PersistentVolumeClaim "data" is missing
                  why: a pod whose claim does not exist is not scheduled
                  fix: create it with the size that the job needs and a storage class that supports ReadWriteMany
                       $ echo '{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"data","namespace":"NS"},\
                "spec":{"accessModes":["ReadWriteMany"],"resources":{"requests":{"storage":"10Gi"}}}}' | kubectl create --filename -"""));
        missing.finds(job, PodOptions.none(), """
                warning: worker.volume: PersistentVolumeClaim "data" is not bound to a volume
                  why: pods wait until it is
                  fix: give it a volume, or a storage class that provisions one; see kubectl describe pvc data --namespace NS""");
        volume("data", "ReadWriteMany");
        missing.runs(job, PodOptions.none());

        JobBuilder single = missing.job().volume(Volume.claim("single", "/data"));
        volume("single", "ReadWriteOncePod");
        PreflightCase.shell(
                "echo '{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolumeClaim\",\"metadata\":{\"name\":\"single\",\"namespace\":\"pf-claim\"},"
                        + "\"spec\":{\"accessModes\":[\"ReadWriteOncePod\"],\"resources\":{\"requests\":{\"storage\":\"10Gi\"}}}}' | kubectl create -f -");
        Checks.until(
                "the claim is bound",
                () -> client.persistentVolumeClaims()
                        .inNamespace("pf-claim")
                        .list()
                        .getItems(),
                () -> client.persistentVolumeClaims()
                        .inNamespace("pf-claim")
                        .withName("single")
                        .get()
                        .getStatus()
                        .getPhase()
                        .equals("Bound"));
        missing.finds(single, PodOptions.none(), """
                error: worker.volume: PersistentVolumeClaim "single" can be mounted by one pod only (ReadWriteOncePod), but 2 pods of the job mount it
                  why: the second pod is not scheduled
                  fix: use a claim with ReadWriteMany, or mount it in one role of one replica""");
        missing.runs(
                Job.named("mnist")
                        .namespace("pf-claim")
                        .image("x")
                        .request("cpu=10m,memory=16Mi")
                        .master()
                        .workers(1)
                        .volume(Volume.claim("single", "/data")),
                PodOptions.none());
        System.out.println("kubernetes: a claim that is missing, is not bound, or is for one pod only");
    }

    private static void volume(String name, String mode) {
        PreflightCase.shell("echo '{\"apiVersion\":\"v1\",\"kind\":\"PersistentVolume\",\"metadata\":{\"name\":\"pf-"
                + name + "\"},\"spec\":"
                + "{\"capacity\":{\"storage\":\"10Gi\"},\"accessModes\":[\"" + mode
                + "\"],\"hostPath\":{\"path\":\"/data\"},"
                + "\"claimRef\":{\"namespace\":\"pf-claim\",\"name\":\"" + name + "\"}}}' | kubectl create -f -");
    }

    private void secrets() throws InterruptedException {
        PreflightCase missing = new PreflightCase(client, "pf-secret");
        PodOptions options = PodOptions.builder()
                .secretEnv("AWS_SECRET_ACCESS_KEY", "s3", "secret")
                .configMapVolume("settings", "/settings")
                .imagePullSecret("registry")
                .build();
        missing.cured(missing.job(), options, """
                error: master.volume.config-settings, worker.volume.config-settings: ConfigMap "settings" is missing
                  why: containers that refer to it do not start until it exists
                  fix: create it with the right values, or remove the reference
                       $ kubectl create configmap settings --namespace NS""", """
                error: master.env.AWS_SECRET_ACCESS_KEY, worker.env.AWS_SECRET_ACCESS_KEY: Secret "s3" is missing
                  why: containers that refer to it do not start until it exists
                  fix: create it with the right values, or remove the reference
                       $ kubectl create secret generic s3 --namespace NS --from-literal=secret=VALUE""", """
                warning: master.imagePullSecret, worker.imagePullSecret: Secret "registry" is missing
                  why: nodes then pull without credentials, and a private registry refuses
                  fix: create it, or remove imagePullSecret("registry")
                       $ kubectl create secret docker-registry registry --namespace NS --docker-server=REGISTRY --docker-username=USER\
                 --docker-password=PASSWORD""");
        PreflightCase.shell("kubectl delete secret s3 --namespace pf-secret"
                + " && kubectl create secret generic s3 --namespace pf-secret --from-literal=key=1");
        missing.cured(missing.job(), options, """
                error: master.env.AWS_SECRET_ACCESS_KEY, worker.env.AWS_SECRET_ACCESS_KEY: Secret "s3" has no key secret; it has key
                  why: containers that refer to it do not start until it exists
                  fix: add it with the right value, or use another key
                       $ kubectl patch secret s3 --namespace NS --type merge --patch '{"stringData":{"secret":"VALUE"}}'""");
        System.out.println("kubernetes: a Secret, its key, a ConfigMap and a Secret for images that are missing");
    }

    private void names() throws InterruptedException {
        PreflightCase taken = new PreflightCase(client, "pf-name");
        PreflightCase.shell("kubectl run elasticdl-mnist-worker-1 --image edl.local/busybox:1 --namespace pf-name");
        PreflightCase.shell("kubectl create service clusterip elasticdl-mnist-master --tcp=80 --namespace pf-name");
        taken.finds(taken.job(), PodOptions.none(), """
                error: name: Service "elasticdl-mnist-master" exists already
                  why: a namespace has only one object of a kind and name
                  fix: give the job another name; delete the object only if nothing else uses it""", """
                error: name: pod "elasticdl-mnist-worker-1" exists already
                  why: a namespace has only one object of a kind and name
                  fix: give the job another name; delete the object only if nothing else uses it""");
        PreflightCase.shell("kubectl delete service elasticdl-mnist-master --namespace pf-name"
                + " && kubectl delete pod elasticdl-mnist-worker-1 --namespace pf-name");
        taken.runs(taken.job(), PodOptions.none());
        PreflightCase.shell("kubectl create configmap edl-job-mnist --from-literal=phase=RUNNING --namespace pf-name");
        taken.finds(taken.job(), PodOptions.none(), """
                error: name: job "mnist" exists already, in phase RUNNING
                  why: a namespace has only one object of a kind and name
                  fix: give this job another name; if the job is yours, resume it with attach("NS", "mnist") or remove it with\
                 delete("NS", "mnist")""");
        PreflightCase.shell("kubectl delete configmap edl-job-mnist --namespace pf-name");
        taken.runs(taken.job(), PodOptions.none());
        System.out.println("kubernetes: names of pods, of services and of the job itself that are taken");
    }

    private void kind() {
        Job job = Job.named("mnist").image("x").tensorflow().chief().workers(1).build();
        CustomObject tfJob = KubeflowTfJobs.write(job).resource();
        String missing = CustomResourcePreflight.of(client, job.plan(Profile.KUBEFLOW_V1), PodOptions.none(), tfJob)
                .toString();
        Checks.check(missing.equals("""
                job "mnist" in namespace "default": 1 error, 0 warnings, 0 not checked
                error: job: the cluster serves no kind TFJob of kubeflow.org/v1
                  why: no CustomResourceDefinition of the group kubeflow.org is installed
                  fix: install its operator with the CustomResourceDefinition, or write the job in a version that is served"""), missing);
        PreflightCase.shell("echo '{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\","
                + "\"metadata\":{\"name\":\"tfjobs.kubeflow.org\"},\"spec\":{\"group\":\"kubeflow.org\",\"scope\":\"Namespaced\","
                + "\"names\":{\"plural\":\"tfjobs\",\"kind\":\"TFJob\"},\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,"
                + "\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true}}}]}}'"
                + " | kubectl create -f - && kubectl wait --for=condition=Established crd/tfjobs.kubeflow.org");
        Checks.soon(
                "a TFJob may be made",
                () -> CustomResourcePreflight.of(client, job.plan(Profile.KUBEFLOW_V1), PodOptions.none(), tfJob),
                () -> CustomResourcePreflight.of(client, job.plan(Profile.KUBEFLOW_V1), PodOptions.none(), tfJob)
                        .problems()
                        .isEmpty());
        System.out.println("kubernetes: a kind that is not served, for a job that an operator is to run");
    }

    private void nodes() throws InterruptedException {
        PreflightCase large = new PreflightCase(client, "pf-node");
        String why = """
                  why: of 2 nodes: 2 with cpu of 8 (9 requested), 2 with nvidia.com/gpu of 0 (1 requested)
                  fix: set request("cpu=8") at most, and request no nvidia.com/gpu, or add a node that has it""".indent(2).stripTrailing();
        JobBuilder much = large.job().request("cpu=9,memory=16Mi,gpu=1");
        large.finds(much, PodOptions.none(), "error: worker.request: the pods fit no node\n" + why);
        PreflightCase.shell("kubectl create configmap cluster-autoscaler-status --namespace kube-system");
        large.finds(
                much,
                PodOptions.none(),
                "warning: worker.request: the pods fit no node unless the cluster adds one\n" + why);
        PreflightCase.shell("kubectl delete configmap cluster-autoscaler-status --namespace kube-system");
        PodOptions fast = PodOptions.builder().nodeSelector("disk", "fast").build();
        large.finds(large.job(), fast, """
                error: master.request, worker.request: the pods fit no node
                  why: of 2 nodes: 2 without the label disk=fast
                  fix: remove the nodeSelector""");
        PreflightCase.shell("kubectl label node fake-1 disk=fast");
        large.runs(large.job(), fast);
        PreflightCase.shell("kubectl taint nodes fake-1 fake-2 team=a:NoSchedule");
        large.finds(large.job(), PodOptions.none(), """
                error: master.request, worker.request: the pods fit no node
                  why: of 2 nodes: 2 with the taint team=a:NoSchedule
                  fix: set PodOptions.builder().toleration(new TolerationBuilder().withKey("team").withValue("a")\
                .withEffect("NoSchedule").build()) if the node's administrator allows the job there""");
        large.runs(
                large.job(),
                PodOptions.builder()
                        .toleration(new TolerationBuilder()
                                .withKey("team")
                                .withValue("a")
                                .withEffect("NoSchedule")
                                .build())
                        .build());
        PreflightCase.shell("kubectl taint nodes fake-1 team:NoSchedule-");
        PreflightCase.shell("kubectl cordon fake-1");
        large.finds(large.job(), PodOptions.none(), """
                warning: master.request, worker.request: no node accepts the pods at present
                  why: of 2 nodes: 1 cordoned, 1 with the taint team=a:NoSchedule
                  fix: wait until the node's administrator ends the cordon""");
        PreflightCase.shell("kubectl uncordon fake-1");
        large.runs(large.job(), PodOptions.none());
        System.out.println(
                "kubernetes: no node that is large enough, that has the label, whose taint is tolerated, or that takes pods");
    }
}
