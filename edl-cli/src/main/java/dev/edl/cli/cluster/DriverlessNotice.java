package dev.edl.cli.cluster;

import dev.edl.exec.JobLostException;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.KubernetesRun;
import java.io.PrintWriter;
import java.time.Duration;

/** Notice that a job runs on without a driver, because the program that drives it ends first, also by Ctrl-C. */
public final class DriverlessNotice {
    private final PrintWriter err;
    private final String text;
    private boolean due = true;

    private DriverlessNotice(PrintWriter err, String namespace, String job) {
        this.err = err;
        this.text = "job " + job + " runs on in namespace " + namespace
                + " without a driver, which would replace its replicas; edl attach " + job + " -n " + namespace
                + " drives it, edl delete " + job + " -n " + namespace + " removes it";
    }

    /**
     * Waits until a job has ended, and prints the notice if this program ends or gives up before that.
     *
     * @param run run that drives the job
     * @param limit longest time to wait
     * @param err writer of the notice
     */
    public static JobStatus await(KubernetesRun run, Duration limit, PrintWriter err) throws InterruptedException {
        DriverlessNotice notice =
                new DriverlessNotice(err, run.plan().namespace(), run.plan().name());
        Thread hook = new Thread(notice::print, "edl-driverless-notice");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            JobStatus end = run.await(limit);
            notice.cancel();
            return end;
        } catch (JobLostException e) {
            // Another program drives the job, or it was deleted.
            notice.cancel();
            throw e;
        } finally {
            notice.print();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The JVM is shutting down, and the hook runs.
                notice.cancel();
            }
        }
    }

    private synchronized void cancel() {
        due = false;
    }

    private synchronized void print() {
        if (due) {
            due = false;
            err.println(text);
            err.flush();
        }
    }
}
