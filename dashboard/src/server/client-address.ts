import { BlockList, isIPv6 } from 'node:net';

/** The origin of a request, as far as it can be trusted. */
export interface Sender {
  address: string;
  /** The request came through a trusted proxy, so its host headers are trusted. */
  viaTrustedProxy: boolean;
}

/**
 * Determines the address of the client: that of the connection, or behind trusted proxies the last entry of
 * `X-Forwarded-For` that is not a trusted proxy. The client can forge the entries before it.
 */
export function createSenderOf(
  trustedProxies: readonly string[],
): (connection: string | undefined, forwardedFor: string | undefined) => Sender {
  const trusted = new BlockList();
  for (const cidr of trustedProxies) {
    const [address = '', bits = ''] = cidr.split('/');
    trusted.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  const isTrusted = (address: string) => trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

  return (connection, forwardedFor) => {
    let address = plainIPv4(connection ?? '');
    const viaTrustedProxy = isTrusted(address);
    const hops = (forwardedFor ?? '').split(',').map((hop) => plainIPv4(hop.trim()));
    while (isTrusted(address)) {
      const hop = hops.pop();
      if (!hop) break;
      address = hop;
    }
    return { address, viaTrustedProxy };
  };
}

/** A dual-stack listener shows 192.0.2.1 as ::ffff:192.0.2.1. */
function plainIPv4(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}
