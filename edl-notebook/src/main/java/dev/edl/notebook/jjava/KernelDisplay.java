package dev.edl.notebook.jjava;

import dev.edl.notebook.LiveDisplay;
import java.util.UUID;
import org.dflib.jjava.jupyter.kernel.BaseKernel;
import org.dflib.jjava.jupyter.kernel.display.DisplayData;
import org.jspecify.annotations.Nullable;

/**
 * Output of a cell that each update replaces. A separate thread sends each update: the kernel's sockets clear the
 * interrupt flag of the sending thread, so a cell that sends could miss its interrupt. Used by one thread.
 */
final class KernelDisplay implements LiveDisplay {
    private final BaseKernel kernel;
    private final String id = UUID.randomUUID().toString();
    private @Nullable Thread sender;

    KernelDisplay(BaseKernel kernel) {
        this.kernel = kernel;
    }

    @Override
    public void show(String html, String text) throws InterruptedException {
        Thread before = sender;
        if (before != null) {
            before.join();
        }
        DisplayData data = new DisplayData(text);
        data.putHTML(html);
        // Later versions changed the signature of the method for it.
        data.putTransientData(DisplayData.DISPLAY_ID_KEY, id);
        Thread now = new Thread(
                () -> {
                    if (before == null) {
                        kernel.display(data);
                    } else {
                        kernel.getIO().display.updateDisplay(data);
                    }
                },
                "edl-live-cell");
        now.setDaemon(true);
        sender = now;
        now.start();
        now.join();
    }
}
