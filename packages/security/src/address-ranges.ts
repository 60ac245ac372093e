import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Returns true if the address is in one of the parsed ranges. Null, an unreadable address, is in none. */
export type AddressRanges = (address: string | null) => boolean;

/**
 * Parses CIDRs once, so that each request only compares. Throws a RangeError that names the invalid CIDR.
 * IPv4-mapped IPv6 addresses (`::ffff:192.0.2.1`, as a dual-stack listener reports them) match like IPv4.
 */
export function parseAddressRanges(cidrs: readonly string[]): AddressRanges {
  const ranges = cidrs.map(parseCidr);
  return (text) => {
    if (text === null || ranges.length === 0 || !ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return ranges.some(
      ([network, bits]) => address.kind() === network.kind() && address.match(network, bits),
    );
  };
}

/** Returns true if the network is within one of the others. */
export function isNetworkWithin(cidr: string, others: readonly string[]): boolean {
  const [address, bits] = parseCidr(cidr);
  return others
    .map(parseCidr)
    .some(
      ([network, prefix]) =>
        address.kind() === network.kind() && prefix <= bits && address.match(network, prefix),
    );
}

const MAPPED_PREFIX_BITS = 96;

function parseCidr(text: string): [Address, number] {
  if (!ipaddr.isValidCIDR(text)) throw new RangeError(`"${text}" is not a CIDR such as 192.0.2.0/24`);
  const [network, bits] = ipaddr.parseCIDR(text);
  if (network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= MAPPED_PREFIX_BITS) {
    return [network.toIPv4Address(), bits - MAPPED_PREFIX_BITS];
  }
  return [network, bits];
}
