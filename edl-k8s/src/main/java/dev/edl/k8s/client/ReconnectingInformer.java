package dev.edl.k8s.client;

import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Informers that restart their watch until they are closed.
 *
 * <p>fabric8's informer stops when the API server ends its watch with an error other than "too old". The informer's
 * store is then no longer updated.
 */
public final class ReconnectingInformer {
    private static final Logger LOG = System.getLogger(ReconnectingInformer.class.getName());

    /** Maximum number of objects in one page of a list, as in kubectl and client-go. */
    private static final long PAGE = 500;

    private ReconnectingInformer() {}

    /**
     * Returns objects whose informer requests its lists in pages. fabric8's informer requests its first list without a
     * limit and with {@code resourceVersion=0}. The API server answers that from its cache, which may be minutes old. A
     * list with a limit is as new as the request.
     */
    public static <T> Informable<T> consistent(Informable<T> objects) {
        return objects.withLimit(PAGE);
    }

    /**
     * Lists and watches objects. Each list has at least the state at the time of its request.
     *
     * @param what the watched objects, for the log: {@code the pods of job "mnist"}
     * @param resync interval at which the known objects are passed again, in milliseconds; 0 for never
     * @throws io.fabric8.kubernetes.client.KubernetesClientException when the first list or watch is refused
     */
    public static <T> SharedIndexInformer<T> of(
            Informable<T> objects, ResourceEventHandler<? super T> handler, long resync, String what) {
        SharedIndexInformer<T> informer = tried(consistent(objects).runnableInformer(resync), what);
        informer.addEventHandler(handler);
        try {
            informer.run();
        } catch (RuntimeException e) {
            informer.close();
            throw e;
        }
        return informer;
    }

    /** Returns the informer, which retries failures after its start. */
    public static <T> SharedIndexInformer<T> tried(SharedIndexInformer<T> informer, String what) {
        return informer.exceptionHandler((started, why) -> {
            if (started) {
                LOG.log(
                        Level.WARNING,
                        MissingPermission.withGrantCommand(what + " cannot be watched; retrying: " + why.getMessage()));
            }
            return started;
        });
    }
}
