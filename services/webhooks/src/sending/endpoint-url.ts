import type { Environment } from '@tollgate/contracts/environment';
import { transportRejection } from '@tollgate/outbound/transport-rules';

const PROTOCOL_REJECTIONS: Record<Environment, string> = {
  live: 'This must be a complete URL that starts with https://.',
  sandbox: 'This must be a complete URL that starts with https:// or http://.',
};

/** Why the form of a URL rules it out as an endpoint; null when it is valid. The address policy checks what its host resolves to. */
export function urlRejection(text: string, environment: Environment): string | null {
  const url = URL.parse(text);
  // The parser strips line breaks and tabs, and reads backslashes as slashes: the parsed URL would differ from the written one.
  if (/[\s\\]/.test(text)) return 'This must not contain spaces or backslashes.';
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return PROTOCOL_REJECTIONS[environment];
  if (url.username !== '' || url.password !== '') return 'This must not contain a user or password.';
  if (url.hash !== '') return 'This must not have a fragment: a fragment is not sent.';
  const transport = transportRejection(url, environment);
  if (transport !== null) return `In the live environment ${transport}.`;
  if (url.hostname.replace(/\.$/, '') === '') return 'This must have a host.';
  return null;
}
