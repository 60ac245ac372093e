import { LOOPBACK_HOSTS } from '@tollgate/contracts/platform/loopback-hosts';
import { Problem } from '@tollgate/contracts/platform/problem';

/**
 * The issuer as its provider writes it: OpenID Connect compares it character by character (Core 1.0 §3.1.3.7). Throws
 * `invalid-request`, naming the field. Whether its host may be connected to is decided at each connection.
 */
export function parseIssuer(text: string, { allowsHttp }: { allowsHttp: boolean }): string {
  const issuer = text.trim();
  const url = URL.parse(issuer);
  if (!url || /[\s\\]/.test(issuer)) throw invalid('Must be a URL, such as https://login.example.com.');
  const isLocal = allowsHttp && url.protocol === 'http:' && LOOPBACK_HOSTS.includes(url.hostname);
  if (url.protocol !== 'https:' && !isLocal) throw invalid('Must start with https://.');
  if (url.username !== '' || url.password !== '') throw invalid('Must not contain a user or password.');
  if (issuer.includes('?') || issuer.includes('#')) throw invalid('Must not have a query or a fragment.');
  if (url.pathname.includes('/.well-known/'))
    throw invalid('Must be the issuer, without the path of its discovery document.');
  return issuer;
}

function invalid(detail: string): Problem {
  return new Problem('invalid-request', 'The issuer is not valid.', {
    errors: [{ pointer: '/issuer', code: 'invalid', detail }],
  });
}
