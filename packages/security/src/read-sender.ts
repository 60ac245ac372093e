import type { IncomingMessage } from 'node:http';
import { parseAddressRanges } from './address-ranges.ts';
import { readAddress } from './read-address.ts';

/** Who sent a request, as far as it can be trusted. */
export interface Sender {
  /** In its only form; null if it cannot be read. Every rule by address treats these senders as one. */
  address: string | null;
  /** The request came through a trusted proxy, so its host headers are trusted. */
  viaTrustedProxy: boolean;
}

export type ReadSender = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => Sender;

/**
 * Determines the address of the client: that of the connection, or behind trusted proxies the last entry of `X-Forwarded-For` that
 * is not a trusted proxy. The client can forge the entries before it. `onUnreadable` is called with an entry that a trusted proxy
 * sent and that is not an address, which is an error of the proxy's configuration.
 */
export function createReadSender(
  trustedProxies: readonly string[],
  onUnreadable: (entry: string) => void,
): ReadSender {
  const isTrusted = parseAddressRanges(trustedProxies);

  return ({ headers, socket }) => {
    let address = readAddress(socket.remoteAddress ?? '');
    const viaTrustedProxy = isTrusted(address);
    const entries = viaTrustedProxy ? entriesOf(headers['x-forwarded-for']) : [];
    for (const entry of entries.reverse()) {
      address = readAddress(entry);
      if (address === null) onUnreadable(entry);
      if (!isTrusted(address)) break;
    }
    return { address, viaTrustedProxy };
  };
}

/** RFC 9110 §5.6.1.2: a recipient ignores empty elements of a list. Node joins several lines with commas. */
function entriesOf(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
