package dev.edl.env;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import java.util.List;
import java.util.Optional;

/** The Java of docs/environments.md. */
final class EnvironmentsPageExamples {
    private EnvironmentsPageExamples() {}

    static List<Object> tensorflow() {
        // region: profiles
        Job job = Job.named("mnist")
                .tensorflow("2.15")
                .chief()
                .ps(2)
                .workers(4)
                .evaluator()
                .build();
        JobPlan own = job.plan();
        JobPlan kubeflow = job.plan(Profile.KUBEFLOW_V1);
        String first = kubeflow.replica("worker", 0).env().get("TF_CONFIG");
        // end
        // region: values
        TfConfig config = TfConfig.of(own.replica("worker", 1)).orElseThrow();
        Optional<Task> task = config.task();
        TfTasks servers = config.cluster().get("ps");
        TfConfig same = TfConfig.parse(config.json());
        // end
        // region: rules
        JobPlan inside =
                job.plan(Profile.ELASTICDL, TensorFlowEnv.of(Profile.ELASTICDL).evaluatorInCluster(true));
        // end
        return List.of(
                String.valueOf(first),
                config,
                task.orElseThrow().toString(),
                String.valueOf(servers),
                same,
                TfConfig.of(inside.replica("chief", 0)).orElseThrow().cluster().containsKey("evaluator"));
    }

    static List<String> horovod() {
        // region: horovod
        JobPlan horovod = Job.named("resnet")
                .horovod()
                .launcher()
                .workers(2)
                .gpu(4)
                .elastic(1, 8)
                .build()
                .plan();
        String arguments = horovod.replica("launcher", 0).env().get("EDL_HOROVODRUN");
        String hostfile = HorovodHosts.of(horovod).lines();
        String script = HorovodHosts.script("/etc/edl/hostfile");
        // end
        return List.of(String.valueOf(arguments), hostfile, script);
    }
}
