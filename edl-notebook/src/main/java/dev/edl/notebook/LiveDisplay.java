package dev.edl.notebook;

/** One place of a notebook, which is shown anew whenever there is more to tell. */
@FunctionalInterface
public interface LiveDisplay {
    /**
     * Shows something in the place of what it showed before.
     *
     * @param html for a notebook's page
     * @param text the same in one line, where no HTML is shown
     * @throws InterruptedException when the calling thread is interrupted; an interrupt must not be swallowed
     */
    void show(String html, String text) throws InterruptedException;
}
