import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Environment } from '@tollgate/contracts/platform/environment';
import ipaddr from 'ipaddr.js';

/** A network as an operator writes it: `10.1.0.0/16`. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

export interface AddressPolicyOptions {
  /** Loopback and private addresses are allowed in the sandbox. */
  allowPrivateInSandbox: boolean;
  /** Networks besides the internet that live endpoints may be in. */
  liveNetworks: readonly Network[];
  /** Ports on which the platform itself listens on this machine. Nothing may be sent to them, whatever else is allowed. */
  platformPorts?: readonly number[];
}

export interface AddressPolicy {
  /** Why the policy rejects this address and port; null when it does not. Rejects anything that is not an IP address. */
  rejectionOf(address: string, environment: Environment, port: number): string | null;
}

/** Ranges that an operator can open for the sandbox. */
const PRIVATE_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/** Metadata services of clouds outside the link-local range. */
const METADATA_ADDRESSES = new Map([
  ['168.63.129.16', 'Azure'],
  ['100.100.100.200', 'Alibaba Cloud'],
  ['fd00:ec2::254', 'AWS'],
  ['fd20:ce::254', 'Google Cloud'],
  ['192.0.0.192', 'Oracle Cloud'],
]);

/** The only part of IPv6 that is assigned for the internet (RFC 4291 §2.4, IANA). */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Denies by default: an address must be public unicast or in an allowed network. IPv6 forms that embed an IPv4 address (6to4, NAT64,
 * Teredo) are rejected, because they can reach any host.
 */
export function createAddressPolicy(options: AddressPolicyOptions): AddressPolicy {
  return {
    rejectionOf(text, environment, port) {
      // ipaddr.js parses forms that a socket reads differently or not at all (127.1, 0x7f000001, and ::127.0.0.1 for
      // ::ffff:127.0.0.1). Only forms that both read alike are allowed.
      if (isIP(text) === 0 || text.includes('%')) return 'it is not an IP address';
      if (text.includes(':') && text.includes('.') && !/^::ffff:\d/i.test(text))
        return 'it is an IPv4 address in an ambiguous form';
      // An IPv4-mapped address reaches the IPv4 host (RFC 4291 §2.5.5.2), so the IPv4 rules apply.
      const address = ipaddr.process(text);
      const cloud = METADATA_ADDRESSES.get(address.toString());
      if (cloud) return `it is the metadata service of ${cloud}`;
      if (options.platformPorts?.includes(port) && isThisMachine(address))
        return 'Tollgate itself listens there';
      const range = address.range();
      if (isPublic(address)) return null;
      if (environment === 'sandbox' && options.allowPrivateInSandbox && PRIVATE_RANGES.has(range))
        return null;
      if (environment === 'live' && isIn(address, options.liveNetworks) && !isNeverAllowed(range))
        return null;
      return `it is not a public address (${rangeName(range)})`;
    },
  };
}

/** Throws an Error with a message for the operator. */
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

function isThisMachine(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() === 'loopback') return true;
  return Object.values(networkInterfaces())
    .flatMap((interfaces) => interfaces ?? [])
    .some((own) => ipaddr.process(own.address).toString() === address.toString());
}

/** Formats `linkLocal` as `link local`. Unicast addresses that are rejected are unassigned IPv6. */
function rangeName(range: string): string {
  if (range === 'unicast') return 'not assigned';
  return range.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Ranges that no configuration allows. */
function isNeverAllowed(range: string): boolean {
  return ['linkLocal', 'unspecified', 'multicast', 'broadcast'].includes(range);
}
