import { STREAM_PATH } from '@tollgate/contracts/admin-api/routes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { AdminCaller } from './admin-client.ts';

export interface LiveEvent {
  /** `delivery`, `webhook_endpoint`, or the type of a payment event. */
  name: string;
  data: Record<string, unknown>;
}

export interface LiveStream {
  /** The events received so far, without the greeting. */
  events: readonly LiveEvent[];
  close(): void;
}

/**
 * Opens the event stream of the admin API as a member. Resolves after the greeting: from then on the stream reports
 * every change.
 */
export async function followChanges(member: AdminCaller, environment?: Environment): Promise<LiveStream> {
  const closing = new AbortController();
  const query = environment === undefined ? '' : `?environment=${environment}`;
  const response = await member.fetch(`${STREAM_PATH}${query}`, { signal: closing.signal });
  if (!response.ok || response.body === null)
    throw new Error(`The stream request failed with ${response.status}.`);
  const blocks = readBlocks(response.body);
  const events: LiveEvent[] = [];
  const greeting = await blocks.next();
  if (greeting.done || eventOf(greeting.value)?.name !== 'hello')
    throw new Error('The stream does not say hello.');

  async function collect() {
    for await (const block of blocks) {
      const event = eventOf(block);
      if (event !== null && !['hello', 'heartbeat'].includes(event.name)) events.push(event);
    }
  }
  collect().catch((error: unknown) => {
    if (!closing.signal.aborted) throw error;
  });
  return { events, close: () => closing.abort() };
}

/** HTML standard §9.2.5: an empty line ends an event. */
async function* readBlocks(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
    text = blocks.pop() ?? '';
    yield* blocks;
  }
}

/** Null for a comment. */
function eventOf(block: string): LiveEvent | null {
  const lines = block.split('\n');
  const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const [name, data] = [field('event'), field('data')];
  return name === undefined || data === undefined ? null : { name, data: JSON.parse(data) };
}
