import { connect, type Socket } from 'node:net';

/** The code of the error, as of the operating system. */
export const CONNECT_TIMEOUT = 'ETIMEDOUT';

/** RFC 8305 §8: the recommended Connection Attempt Delay. */
const ATTEMPT_DELAY_MS = 250;
/** A name server can return hundreds of addresses. One request must not connect to all of them. */
const MAX_ADDRESSES = 8;

/**
 * Connects to the first of these addresses that accepts a connection. An attempt starts when the one before has failed, or has taken
 * a quarter of a second, and the others end with the first success (RFC 8305 §5). Fails with the error of the first failure.
 *
 * @param addresses IP addresses, which are not resolved again
 */
export function connectInTurn(
  addresses: readonly string[],
  { port, timeoutMs }: { port: number; timeoutMs: number },
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const waiting = alternateFamilies(addresses).slice(0, MAX_ADDRESSES);
    const pending = new Set<Socket>();
    let firstFailure: Error | undefined;
    let nextAttempt: NodeJS.Timeout | undefined;
    const deadline = setTimeout(() => end(() => reject(connectTimeout())), timeoutMs);

    function end(settle: () => void): void {
      clearTimeout(nextAttempt);
      clearTimeout(deadline);
      waiting.length = 0;
      for (const socket of pending) socket.destroy();
      pending.clear();
      settle();
    }

    function startNext(): void {
      clearTimeout(nextAttempt);
      const host = waiting.shift();
      if (host === undefined) return;
      const socket = connect({ host, port, noDelay: true, keepAlive: true });
      pending.add(socket);
      socket.once('connect', () => {
        pending.delete(socket);
        socket.removeAllListeners('error');
        end(() => resolve(socket));
      });
      // `on`, because a destroyed attempt may still report an error.
      socket.on('error', (error) => {
        firstFailure ??= error;
        if (!pending.delete(socket)) return;
        if (waiting.length > 0) startNext();
        else if (pending.size === 0) end(() => reject(firstFailure));
      });
      nextAttempt = setTimeout(startNext, ATTEMPT_DELAY_MS);
    }
    startNext();
  });
}

/** RFC 8305 §4: the first address, then one of the other family, and so on, so that a broken family costs one attempt at a time. */
function alternateFamilies(addresses: readonly string[]): string[] {
  const isFirstFamily = (address: string) => address.includes(':') === addresses[0]?.includes(':');
  const first = addresses.filter(isFirstFamily);
  const other = addresses.filter((address) => !isFirstFamily(address));
  return addresses
    .flatMap((_, index) => [first.slice(index, index + 1), other.slice(index, index + 1)])
    .flat();
}

/** Also of a TLS handshake. */
export function connectTimeout(): Error {
  return Object.assign(new Error('The connection timed out.'), { code: CONNECT_TIMEOUT });
}
