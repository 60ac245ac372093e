import type { Readable } from 'node:stream';

export interface ReadBody {
  /** At most `maxBytes`. */
  body: Buffer;
  /** Why it ends there: the rest of a body that is too long is not transferred, and one breaks off with its connection. */
  end: 'complete' | 'too-long' | 'broken-off';
}

/** Reads at most `maxBytes` of a body. Never rejects. */
export function readBody(stream: Readable, maxBytes: number): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    // Not `for await`, which costs as much as the rest of a short request.
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) stream.destroy();
    });
    stream.on('error', () => undefined);
    stream.once('close', () => {
      const end = bytes > maxBytes ? 'too-long' : stream.readableEnded ? 'complete' : 'broken-off';
      resolve({ body: Buffer.concat(chunks).subarray(0, maxBytes), end });
    });
  });
}
