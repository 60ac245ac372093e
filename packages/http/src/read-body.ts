/**
 * Reads at most `maxBytes` of a body. The rest is not transferred: leaving the loop destroys the stream and its connection.
 *
 * @returns `truncated` if the body has more bytes
 */
export async function readBody(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) break;
  }
  const body = Buffer.concat(chunks).subarray(0, maxBytes);
  return { body, truncated: bytes > body.length };
}
