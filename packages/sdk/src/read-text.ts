/** A payment has at most 128 KiB as a request. This leaves room for what the platform adds. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/** Whether a custom `fetch` returned a response that can be read. */
export function isReadable(response: Response): boolean {
  const { status, headers, text, bodyUsed, body } = Object(response) as Partial<Response>;
  const isResponse =
    typeof status === 'number' && typeof headers?.get === 'function' && typeof text === 'function';
  return isResponse && !bodyUsed && !body?.locked;
}

/** Reads a body as text; undefined if it is longer than the limit, of which no more than that is read. */
export async function readText(response: Response): Promise<string | undefined> {
  // The body of node-fetch, React Native, and test doubles is no stream of the web.
  const reader = response.body?.getReader?.();
  if (!reader) return readAtOnce(response);
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

/** Without a stream, only the announced length can stop a long body before it is read. */
async function readAtOnce(response: Response): Promise<string | undefined> {
  if (Number(response.headers.get('content-length')) > MAX_RESPONSE_BYTES) return undefined;
  const text = await response.text();
  return text.length > MAX_RESPONSE_BYTES ? undefined : text;
}
