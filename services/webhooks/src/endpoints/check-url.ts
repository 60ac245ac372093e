import type { Environment } from '@tollgate/contracts/platform/environment';
import { Problem } from '@tollgate/contracts/platform/problem';
import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhooks/webhook';
import { hostRejection } from '@tollgate/outbound/host-rejection';
import type { Context } from '../context.ts';
import { urlRejection } from '../sending/endpoint-url.ts';

const TOO_LONG = `This is longer than ${WEBHOOK_LIMITS.url} characters when it is percent-encoded. Use a shorter URL.`;

/** Logged without the URL, which may contain a password. */
const REJECTED = 'rejected a webhook URL';

/**
 * Returns the URL in its normal form. This check only helps the member: every connection is checked again, because a name can
 * resolve to another address later.
 *
 * @throws Problem `invalid-request`, naming the field
 */
export async function checkUrl(
  { policy, lookup, logger }: Pick<Context, 'policy' | 'lookup' | 'logger'>,
  text: string,
  environment: Environment,
): Promise<string> {
  const rejection = urlRejection(text, environment);
  if (rejection !== null) {
    logger.warn({ reason: rejection, environment }, REJECTED);
    throw invalidUrl(rejection);
  }
  const url = new URL(text);
  // Percent-encoding and punycode can turn one character into twelve. The normal form is ASCII.
  if (url.href.length > WEBHOOK_LIMITS.url) throw invalidUrl(TOO_LONG);
  const host = await hostRejection(url, environment, { policy, lookup });
  if (host === null) return url.href;
  if (host.rejected) {
    const { reason, address } = host.rejected;
    logger.warn({ reason, address, environment }, REJECTED);
  }
  throw invalidUrl(host.detail);
}

function invalidUrl(detail: string): Problem {
  return new Problem('invalid-request', 'The URL is not valid for a webhook endpoint.', {
    errors: [{ pointer: '/url', code: 'invalid', detail }],
  });
}
