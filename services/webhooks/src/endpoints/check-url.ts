import type { Environment } from '@tollgate/contracts/environment';
import { Problem } from '@tollgate/contracts/problem';
import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhook';
import { AddressRejected, HostNotFound, resolveAllowed } from '@tollgate/outbound/resolve-host';
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
  try {
    await resolveAllowed(url.hostname, environment, { policy, lookup });
  } catch (error) {
    if (error instanceof AddressRejected) {
      logger.warn({ reason: error.reason, address: error.address, environment }, REJECTED);
      throw invalidUrl(`${error.message} Use a public address.`);
    }
    if (!(error instanceof HostNotFound)) throw error;
    // An unavailable resolver is not an error of the URL.
    if (error.isCertain) throw invalidUrl('This host does not exist.');
  }
  return url.href;
}

function invalidUrl(detail: string): Problem {
  return new Problem('invalid-request', 'The URL is not valid for a webhook endpoint.', {
    errors: [{ pointer: '/url', code: 'invalid', detail }],
  });
}
