import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address with the port of its connection, as some balancers send it: `192.0.2.1:443`, `[2001:db8::1]:443`, or `[2001:db8::1]`. */
const WITH_PORT = /^(?:\[(?<v6>[^[\]]+)\]|(?<v4>[\d.]+))(?::\d{1,5})?$/;

/**
 * Returns the IP address in its only form, without a port, brackets, or a zone: IPv6 compressed and in lower case (RFC 5952), and
 * an IPv4-mapped IPv6 address as IPv4. Null for anything else, such as `unknown`, a name, or an IPv4 address in octal.
 */
export function readAddress(text: string): string | null {
  const { v6, v4 } = WITH_PORT.exec(text)?.groups ?? {};
  const address = v6 ?? v4 ?? text;
  if (isIPv4(address)) return v6 === undefined ? address : null;
  // A zone names an interface of the machine that wrote it.
  const [unzoned = ''] = address.split('%');
  return isIP(address) === 6 ? ipaddr.process(unzoned).toString() : null;
}
