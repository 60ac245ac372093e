import type { FieldError } from '@tollgate/contracts/platform/problem';
import ipaddr from 'ipaddr.js';

const IPV4_BITS = 32;
const IPV6_BITS = 128;
/** RFC 4291 §2.5.5.2: the last 32 bits of an IPv4-mapped address are the IPv4 address. */
const IPV4_MAPPED_PREFIX_BITS = 96;

/**
 * Returns the networks in normalized form (`10.1.2.3/8` → `10.0.0.0/8`, a single address → the network of that address,
 * IPv4-mapped IPv6 → IPv4) without duplicates, and a field error, with a pointer below `pointer`, for each text that is
 * not a network.
 */
export function normalizeCidrs(
  texts: readonly string[],
  pointer: string,
): { cidrs: string[]; errors: FieldError[] } {
  const cidrs = new Set<string>();
  const errors: FieldError[] = [];
  texts.forEach((text, index) => {
    const cidr = normalizeCidr(text);
    if (cidr) cidrs.add(cidr);
    else {
      errors.push({
        pointer: `${pointer}/${index}`,
        code: 'invalid',
        detail: 'This must be an IPv4 or IPv6 network such as 203.0.113.0/24 or 2001:db8::/32.',
      });
    }
  });
  return { cidrs: [...cidrs], errors };
}

function normalizeCidr(text: string): string | null {
  const [address = '', prefix, ...rest] = text.trim().split('/');
  if (rest.length > 0 || (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix))) return null;
  // ipaddr.js also parses octal, hexadecimal, and short forms of IPv4, which people and gateways interpret differently.
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipv4Network(address, Number(prefix ?? IPV4_BITS));
  if (!ipaddr.IPv6.isValid(address) || address.includes('%')) return null;
  return ipv6Network(address, Number(prefix ?? IPV6_BITS));
}

function ipv4Network(address: string, bits: number): string | null {
  if (bits > IPV4_BITS) return null;
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
}

function ipv6Network(address: string, bits: number): string | null {
  if (bits > IPV6_BITS) return null;
  const parsed = ipaddr.IPv6.parse(address);
  // Clients over IPv4 are compared by their IPv4 address, so a network in mapped form would never match.
  if (parsed.isIPv4MappedAddress()) {
    if (bits < IPV4_MAPPED_PREFIX_BITS) return null;
    return ipv4Network(parsed.toIPv4Address().toString(), bits - IPV4_MAPPED_PREFIX_BITS);
  }
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
}
