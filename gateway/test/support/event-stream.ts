import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

export interface StreamEvent {
  event: string;
  id: string | undefined;
  data: unknown;
}

export interface EventStream {
  response: IncomingMessage;
  status: number;
  /** Everything received, including heartbeats. */
  text(): string;
  /** Without heartbeats. */
  events(): StreamEvent[];
  /** True after the server has ended or aborted the stream. */
  isOver(): boolean;
  close(): void;
}

/** Opens `/admin/v1/stream` and reads it continuously. */
export async function openEventStream(baseUrl: string, token: string, query = ''): Promise<EventStream> {
  const request = get(`${baseUrl}/admin/v1/stream${query}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  let over = false;
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
  });
  response.on('error', () => undefined);
  response.on('close', () => {
    over = true;
  });
  return {
    response,
    status: response.statusCode ?? 0,
    text: () => text,
    events: () => parseEvents(text).filter(({ event }) => event !== 'heartbeat'),
    isOver: () => over,
    close: () => response.destroy(),
  };
}

/** HTML standard §9.2.6, limited to what these streams use. */
function parseEvents(text: string): StreamEvent[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .flatMap((block) => {
      const lines = block.split('\n');
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const event = field('event');
      return event === undefined
        ? []
        : [{ event, id: field('id'), data: JSON.parse(field('data') ?? 'null') }];
    });
}
