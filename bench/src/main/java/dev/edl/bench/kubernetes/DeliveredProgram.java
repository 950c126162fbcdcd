package dev.edl.bench.kubernetes;

/** Program that {@link ClassDeliveryTime} brings to pods: it prints its turn and sleeps. */
public final class DeliveredProgram {
    /** Text in the class file that {@link ChangingProgram} replaces by one of the same length. */
    private static final String TURN = "turn-000000";

    private DeliveredProgram() {}

    /** Takes no arguments. */
    public static void main(String[] args) throws InterruptedException {
        System.out.println(TURN);
        Thread.sleep(Long.MAX_VALUE);
    }
}
