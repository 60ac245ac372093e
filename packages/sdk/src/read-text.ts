/** A payment has at most 128 KiB as a request. This leaves room for what the platform adds. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/** Reads a body as text; undefined if it is longer than the limit, of which no more than that is read. */
export async function readText(response: Response): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > MAX_RESPONSE_BYTES) {
      // A failure to stop reading changes nothing.
      reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
