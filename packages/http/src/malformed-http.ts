import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ProblemResponse } from './problem-response.ts';

export interface MalformedHttpResponses {
  /** Called when a request starts on its connection. Call `ended` when the response is sent. */
  began(request: IncomingMessage): void;
  ended(request: IncomingMessage): void;
  /** Handler for Node's `clientError`: the client sent something other than HTTP. */
  respond(error: NodeJS.ErrnoException, socket: Socket): void;
  /** Responds to the requests to which Node would respond by itself, without a body. */
  attach(server: Server): void;
}

export const MALFORMED_HTTP_OPTIONS = {
  /** Node would respond by itself to a request without Host, without a problem. */
  requireHostHeader: false,
  /** How late a time limit for headers or a body may end a request. Node's own interval is 30 s. */
  connectionsCheckingInterval: 1_000,
};

/**
 * How long the client may take to read the closing response. Closing immediately would discard it while the client
 * still sends.
 */
const LINGER_MS = 1_000;
/** How long the rest of a body may take that already has its response. */
const REST_OF_BODY_MS = 5_000;

const DETAILS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The request line and headers are too large.',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'The chunk extensions are too large.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

/**
 * Responds to malformed HTTP with one 400 problem and closes the connection, since the start of the next request is
 * unknown.
 * @param problemOf the problem of a 400 with this detail
 */
export function createMalformedHttpResponses(
  problemOf: (detail: string) => Pick<ProblemResponse, 'headers' | 'body'>,
): MalformedHttpResponses {
  /** Requests of a connection without a response yet, oldest first. */
  const pending = new WeakMap<Socket, IncomingMessage[]>();
  const responded = new WeakSet<Socket>();

  /**
   * True while a completely received request is in progress: its caller would take a 400 as the response to it,
   * although it may succeed. A request that is still arriving is the malformed one itself.
   */
  function isWorkingFor(socket: Socket): boolean {
    return pending.get(socket)?.some((request) => request.complete) ?? false;
  }

  function respond(error: NodeJS.ErrnoException, socket: Socket): void {
    if (responded.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable || isWorkingFor(socket)) {
      socket.destroy();
      return;
    }
    responded.add(socket);
    // Node hands over the socket of a CONNECT without a listener. A reset would end the process.
    socket.on('error', () => socket.destroy());
    socket.end(responseText(problemOf(DETAILS[error.code ?? ''] ?? 'The request is not valid HTTP.')));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }

  /** The response does not need the rest of the body. A client that never sends it must not keep the connection. */
  function limitRestOf(request: IncomingMessage): void {
    const { socket } = request;
    responded.add(socket);
    const timer = setTimeout(() => request.destroy(), REST_OF_BODY_MS).unref();
    request.once('end', () => {
      clearTimeout(timer);
      responded.delete(socket);
    });
  }

  return {
    began(request) {
      const requests = pending.get(request.socket);
      if (requests) requests.push(request);
      else pending.set(request.socket, [request]);
    },
    ended(request) {
      const requests = pending.get(request.socket);
      const index = requests?.indexOf(request) ?? -1;
      if (index !== -1) requests?.splice(index, 1);
      if (!request.complete) limitRestOf(request);
    },
    respond,
    attach(server) {
      // RFC 9110 §10.1.1 allows a server to ignore an unknown expectation. Node's own response would be an empty 417.
      server.on('checkExpectation', (request, response) => server.emit('request', request, response));
      server.on('connect', (_request, socket) => respond(new Error('CONNECT'), socket as Socket));
    },
  };
}

function responseText({ headers, body }: Pick<ProblemResponse, 'headers' | 'body'>): string {
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  return ['HTTP/1.1 400 Bad Request', ...lines, '', body].join('\r\n');
}
