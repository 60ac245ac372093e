import { LOOPBACK_HOSTS } from '@tollgate/contracts/platform/loopback-hosts';

/** A mail server, as the operator configures it. */
export interface SmtpServer {
  host: string;
  port: number;
  /** Whether the connection is encrypted from the start, and not by STARTTLS. */
  isEncrypted: boolean;
  /** Whether it is on this machine. */
  isLocal: boolean;
  auth: { user: string; pass: string } | null;
}

/** RFC 8314 §7.3 and RFC 6409 §3.1 */
const DEFAULT_PORTS = { 'smtps:': 465, 'smtp:': 587 };

/** Throws an Error that says what the text must be, and never shows it. */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text);
  const { protocol, pathname = '', search, hash } = url ?? {};
  const isBare = (pathname === '' || pathname === '/') && search === '' && hash === '';
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  if (!url || (protocol !== 'smtp:' && protocol !== 'smtps:') || host === '' || !isBare)
    throw new Error('must be an address such as smtps://user:password@mail.example.com, without a path');
  return {
    host,
    port: Number(url.port) || DEFAULT_PORTS[protocol],
    isEncrypted: protocol === 'smtps:',
    isLocal: LOOPBACK_HOSTS.includes(url.hostname),
    auth: url.username === '' ? null : { user: decoded(url.username), pass: decoded(url.password) },
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('must have a user and a password that are URL-encoded: write % as %25');
  }
}
