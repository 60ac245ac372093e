import { connect } from 'node:net';

export interface RawResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

const TIMEOUT_MS = 5_000;

/**
 * Sends raw bytes, which no HTTP client would, and reads one response. Null if the connection was closed without a
 * response, or if the gateway still waits for the rest of the request.
 */
export function sendRaw(
  url: string,
  bytes: string | Buffer,
  { timeoutMs = TIMEOUT_MS, head = false } = {},
): Promise<RawResponse | null> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let received = Buffer.alloc(0);
    const timer = setTimeout(() => finish(null), timeoutMs);

    function finish(response: RawResponse | null): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(response);
    }

    socket.on('connect', () =>
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    );
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const response = parseResponse(received, head);
      if (response) finish(response);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => finish(parseResponse(received, head)));
  });
}

function parseResponse(received: Buffer, head: boolean): RawResponse | null {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [statusLine = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const status = Number(statusLine.split(' ')[1]);
  if (status === 100) return parseResponse(received.subarray(end + 4), head);
  const length = Number(headers['content-length'] ?? 0);
  const rest = received.subarray(end + 4);
  if (head || status === 304) return { status, headers, body: rest.toString('utf8') };
  // What follows is the response to a pipelined request.
  return rest.length < length ? null : { status, headers, body: rest.toString('utf8', 0, length) };
}

/** Builds a request as text: one line per header, with CRLF line ends. */
export function rawRequest(line: string, headers: string[] = [], body = ''): string {
  return [line, ...headers, '', body].join('\r\n');
}
