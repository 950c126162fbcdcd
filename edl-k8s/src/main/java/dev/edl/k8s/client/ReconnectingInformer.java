package dev.edl.k8s.client;

import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Watches that last until they are closed. An informer of fabric8 ends by itself when the API server ends its watch with anything
 * but "too old", and its store then stays as it was.
 */
public final class ReconnectingInformer {
    private static final Logger LOG = System.getLogger(ReconnectingInformer.class.getName());

    /** As kubectl and client-go have it. */
    private static final long PAGE = 500;

    private ReconnectingInformer() {}

    /**
     * Returns the objects, to be listed by pages. fabric8's informer asks for its first list without a limit at any version, {@code
     * resourceVersion=0}: an API server answers that from its cache, which may be minutes old. A list with a limit is as new as the
     * request.
     */
    public static <T> Informable<T> consistent(Informable<T> objects) {
        return objects.withLimit(PAGE);
    }

    /**
     * Lists and begins to watch. No list is older than the request for it.
     *
     * @param what the watched objects, for the log: {@code the pods of job "mnist"}
     * @param resync how often the known objects are shown again, in milliseconds; 0 for never
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

    /** Returns the informer, which tries again what fails once it has started. */
    public static <T> SharedIndexInformer<T> tried(SharedIndexInformer<T> informer, String what) {
        return informer.exceptionHandler((started, why) -> {
            if (started) {
                LOG.log(
                        Level.WARNING,
                        MissingPermission.told(what + " cannot be watched; retrying: " + why.getMessage()));
            }
            return started;
        });
    }
}
