import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { type HttpRequest, type HttpResponse, sendRequest } from '@tollgate/http/send-request';
import type { AddressPolicy } from './address-policy.ts';
import { connectInTurn, connectTimeout } from './connect-in-turn.ts';
import type { Lookup } from './look-up-host.ts';
import { resolveAllowed, TransportRejected } from './resolve-host.ts';
import { literalAddress, transportRejection } from './url-form.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;

/** Sends requests to URLs that the environment and the address policy allow. */
export interface CheckedAgent {
  /** @throws TransportRejected, AddressRejected, HostNotFound */
  request(url: string, request: HttpRequest): Promise<HttpResponse>;
  /** Closes all connections. */
  close(): Promise<void>;
}

interface CheckedAgentOptions {
  environment: Environment;
  policy: AddressPolicy;
  lookup: Lookup;
  /** Additional trusted certificates; for tests. */
  ca?: string;
}

/**
 * Connects only to addresses that the policy allows. A connection goes to an exact address that was checked, which prevents DNS
 * rebinding: nothing resolves the name again between the check and the connection.
 */
export function createCheckedAgent(options: CheckedAgentOptions): CheckedAgent {
  const { environment } = options;
  const settings = { keepAlive: true, timeout: KEEP_ALIVE_MS };
  const http = new HttpAgent(settings);
  http.createConnection = opening((host, port) => connectChecked(options, host, port));
  const https = new HttpsAgent(settings);
  https.createConnection = opening(async (host, port) =>
    secure(await connectChecked(options, host, port), host, options.ca),
  );

  return {
    async request(url, request) {
      const wanted = new URL(url);
      const rejection = transportRejection(wanted, environment);
      if (rejection !== null) throw new TransportRejected(wanted.origin, rejection);
      return sendRequest(wanted, request, wanted.protocol === 'https:' ? https : http);
    },
    async close() {
      http.destroy();
      https.destroy();
    },
  };
}

/** Adapts a function that opens a connection to the agents of Node. */
function opening(open: (host: string, port: number) => Promise<Socket>): HttpAgent['createConnection'] {
  return ({ host, port }, callback) => {
    open(String(host), Number(port)).then(
      (socket) => callback?.(null, socket),
      // Node reads no socket beside an error.
      (error: Error) => callback?.(error, undefined as never),
    );
    return undefined;
  };
}

async function connectChecked(options: CheckedAgentOptions, host: string, port: number): Promise<Socket> {
  const addresses = await resolveAllowed({ hostname: host, port }, options.environment, options);
  return connectInTurn(addresses, { port, timeoutMs: CONNECT_TIMEOUT_MS });
}

/** Resolves when the certificate is verified: for the name, not for the address (RFC 9110 §4.3.4). */
function secure(socket: Socket, host: string, ca: string | undefined): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const isName = literalAddress(host) === null;
    const secured = connectTls({
      socket,
      host,
      ALPNProtocols: ['http/1.1'],
      ...(isName && { servername: host.replace(/\.$/, '') }),
      ...(ca !== undefined && { ca }),
    });
    const deadline = setTimeout(() => secured.destroy(connectTimeout()), CONNECT_TIMEOUT_MS);
    secured.once('close', () => clearTimeout(deadline));
    secured.once('error', reject);
    secured.once('secureConnect', () => {
      clearTimeout(deadline);
      secured.off('error', reject);
      resolve(secured);
    });
  });
}
