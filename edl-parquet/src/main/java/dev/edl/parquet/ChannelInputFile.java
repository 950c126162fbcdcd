package dev.edl.parquet;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

/** File of any file system of {@code java.nio.file}. */
record ChannelInputFile(Path path) implements InputFile {
    @Override
    public long getLength() throws IOException {
        return Files.size(path);
    }

    @Override
    public SeekableInputStream newStream() throws IOException {
        return new ChannelStream(Files.newByteChannel(path));
    }

    /** Returns the path, which the library's messages contain. */
    @Override
    public String toString() {
        return path.toString();
    }

    private static final class ChannelStream extends DelegatingSeekableInputStream {
        private final SeekableByteChannel channel;

        ChannelStream(SeekableByteChannel channel) {
            super(Channels.newInputStream(channel));
            this.channel = channel;
        }

        @Override
        public long getPos() throws IOException {
            return channel.position();
        }

        @Override
        public void seek(long position) throws IOException {
            channel.position(position);
        }
    }
}
