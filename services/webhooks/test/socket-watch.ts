import { Socket } from 'node:net';

export interface SocketWatch {
  /** Addresses, as `host:port`, that this process has begun to connect to, oldest first. */
  connects: string[];
  stop(): void;
}

/**
 * Notes every TCP connection that this process begins, over TLS too: `net.connect` and `tls.connect` both go through `Socket.prototype.connect`, which
 * the diagnostics channel `net.client.socket` does not show of TLS. Beside a canary it proves that nobody was called at addresses where no
 * canary can be, because the machine does not have them.
 */
export function watchSockets(): SocketWatch {
  const connects: string[] = [];
  const original = Socket.prototype.connect;
  Socket.prototype.connect = function connect(this: Socket, ...parameters: unknown[]): Socket {
    connects.push(addressOf(parameters));
    return Reflect.apply(original, this, parameters);
  } as typeof original;
  return {
    connects,
    stop() {
      Socket.prototype.connect = original;
    },
  };
}

/** Arguments are options, or a port with a host, or, from `net.connect`, an array of normalized ones. */
function addressOf([first, second]: unknown[]): string {
  const wanted = Array.isArray(first) ? first[0] : first;
  if (typeof wanted !== 'object' || wanted === null) return `${second}:${wanted}`;
  const { host, port, path } = wanted as { host?: string; port?: number; path?: string };
  return path ?? `${host}:${port}`;
}
