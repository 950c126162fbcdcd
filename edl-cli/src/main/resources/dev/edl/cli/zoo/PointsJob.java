package {{package}};

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.runtime.program.ProgramJobs;

/** The job: how many replicas train, and with which resources. */
final class PointsJob {
    private PointsJob() {}

    /** Returns the job in this JVM. */
    static Job here() {
        return roles(Job.builder().elasticdl()).build();
    }

    /** Returns the job as pods of an image, which {@code edl zoo push} pushes. */
    static Job ofImage(String image) {
        return roles(ProgramJobs.image(image).request("cpu=1,memory=2Gi")).build();
    }

    /** Adds name and roles, the same on every executor. Framework elasticdl implies the master. */
    static JobBuilder roles(JobBuilder job) {
        return job.name("{{name}}").ps(1).workers(2).elastic(1, 4);
    }
}
