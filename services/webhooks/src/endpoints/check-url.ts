import type { Environment } from '@tollgate/contracts/environment';
import { Problem } from '@tollgate/contracts/problem';
import type { Context } from '../context.ts';
import { urlRefusal } from '../sending/endpoint-url.ts';
import { AddressRefused, HostNotFound, resolveAllowed } from '../sending/resolve-host.ts';

/** Without the URL itself, which may hold someone's password. */
const REFUSED = 'a webhook URL was rejected';

/**
 * The URL in its normal form. A check when it is saved tells the member what is wrong with it; what counts is the same check of every
 * connection, because names change what they resolve to.
 *
 * @throws Problem `invalid-request`, naming the field
 */
export async function checkUrl(
  { policy, lookup, logger }: Pick<Context, 'policy' | 'lookup' | 'logger'>,
  text: string,
  environment: Environment,
): Promise<string> {
  const refusal = urlRefusal(text, environment);
  if (refusal !== null) {
    logger.warn({ reason: refusal, environment }, REFUSED);
    throw invalidUrl(refusal);
  }
  const url = new URL(text);
  try {
    await resolveAllowed(url.hostname, environment, { policy, lookup });
  } catch (error) {
    if (error instanceof AddressRefused) {
      logger.warn({ reason: error.reason, address: error.address, environment }, REFUSED);
      throw invalidUrl(`${error.message} Use a public address.`);
    }
    if (!(error instanceof HostNotFound)) throw error;
    // A resolver that is out of reach is no fault of the URL.
    if (error.isCertain) throw invalidUrl('The host was not found in DNS.');
  }
  return url.href;
}

function invalidUrl(detail: string): Problem {
  return new Problem('invalid-request', 'The URL cannot be used for a webhook endpoint.', {
    errors: [{ pointer: '/url', code: 'invalid', detail }],
  });
}
