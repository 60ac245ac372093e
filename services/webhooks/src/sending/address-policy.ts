import { isIP } from 'node:net';
import type { Environment } from '@tollgate/contracts/environment';
import ipaddr from 'ipaddr.js';

/** A network as an operator writes it: `10.1.0.0/16`. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

export interface AddressPolicyOptions {
  /** Loopback and private addresses are allowed in the sandbox. */
  allowPrivateInSandbox: boolean;
  /** Networks that live endpoints may be in besides the internet. */
  liveNetworks: readonly Network[];
}

export interface AddressPolicy {
  /** Why nothing may be sent to this address; null when it may. Anything that is not an IP address is rejected. */
  refusalOf(address: string, environment: Environment): string | null;
}

/** Ranges that `WEBHOOKS_ALLOW_PRIVATE_NETWORKS` opens for the sandbox. */
const PRIVATE_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/** Where clouds keep what nobody may read, in ranges that look harmless; the others are link-local. */
const METADATA_ADDRESSES = new Map([
  ['168.63.129.16', 'Azure'],
  ['100.100.100.200', 'Alibaba Cloud'],
  ['fd00:ec2::254', 'AWS'],
  ['fd20:ce::254', 'Google Cloud'],
  ['192.0.0.192', 'Oracle Cloud'],
]);

/** RFC 4291 §2.4, IANA: the only part of IPv6 that is given out for the internet. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Deny by default: an address is public unicast, or of a network that was allowed by name, or it is rejected. Forms that carry an
 * IPv4 address inside IPv6 (6to4, NAT64, Teredo) are rejected as such, because the host behind them could be any.
 */
export function createAddressPolicy(options: AddressPolicyOptions): AddressPolicy {
  return {
    refusalOf(text, environment) {
      // ipaddr.js takes more writings than a socket does (127.1, 0x7f000001, and ::127.0.0.1 for ::ffff:127.0.0.1); only what both
      // read alike is judged.
      if (isIP(text) === 0 || text.includes('%')) return 'it is not an IP address';
      if (text.includes(':') && text.includes('.') && !/^::ffff:\d/i.test(text))
        return 'it is an IPv4 address in a form that hides it';
      // An IPv4-mapped address reaches the IPv4 host (RFC 4291 §2.5.5.2), so it is judged as that.
      const address = ipaddr.process(text);
      const cloud = METADATA_ADDRESSES.get(address.toString());
      if (cloud) return `it is the metadata service of ${cloud}`;
      const range = address.range();
      if (isPublic(address)) return null;
      if (environment === 'sandbox' && options.allowPrivateInSandbox && PRIVATE_RANGES.has(range))
        return null;
      if (environment === 'live' && isIn(address, options.liveNetworks) && !isNeverAllowed(range))
        return null;
      return `it is not a public address (${inWords(range)})`;
    },
  };
}

/** Throws an Error that says what is wrong, for the operator. */
export function parseNetwork(text: string): Network {
  try {
    return ipaddr.parseCIDR(text);
  } catch {
    throw new Error(`must be a list of CIDRs such as 10.1.0.0/16, not "${text}"`);
  }
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST_V6);
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, networks: readonly Network[]): boolean {
  return networks.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  );
}

/** `linkLocal` as people write it. What is unicast and rejected all the same is of the IPv6 that nobody has been given. */
function inWords(range: string): string {
  if (range === 'unicast') return 'not assigned';
  return range.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Not even for an operator: these name no host elsewhere, or one that must not be reached. */
function isNeverAllowed(range: string): boolean {
  return ['linkLocal', 'unspecified', 'multicast', 'broadcast'].includes(range);
}
