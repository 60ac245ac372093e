import { parseKeyring } from '@tollgate/security/keyring';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import { signedHeaders, type TestApplication } from '../../support/platform/test-application.ts';
import { countUnverified } from '../../support/platform/unverified-messages.ts';

const PATH = '/v1/payments';
const BODY = JSON.stringify({ amount: 100, currency: 'EUR', payment_method: 'pm_hold' });
/** Longer than a signed request is valid. */
const LATER_MS = 31_000;

let platform: SharedPlatform;
let application: TestApplication;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  application = await platform.createApplication(await platform.createTeam());
});
afterAll(() => platform?.leave());

/** Headers of a request that the gateway signed at this time. */
const capturedHeaders = (sentAtMs: number) =>
  signedHeaders(
    parseKeyring(platform.internalSigningKeys),
    application,
    'sandbox',
    { method: 'POST', path: PATH, body: BODY },
    sentAtMs,
  );

async function replay(headers: Record<string, string>, { path = PATH, body = BODY } = {}) {
  const response = await fetch(`${platform.paymentsUrl}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  return { status: response.status, body: (await response.json()) as { id?: string; code?: string } };
}

const countRequests = (reason: string) => countUnverified(platform.opsUrls.payments, 'request', reason);

describe('replaying a request that the gateway signed', () => {
  it('replaying a request that the gateway signed creates no second payment', async () => {
    const headers = capturedHeaders(Date.now());
    const first = await replay(headers);
    const second = await replay(headers);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).toBe(first.body.id);
  });

  it('half a minute later is rejected', async () => {
    const before = await countRequests('outdated');
    const { status, body } = await replay(capturedHeaders(Date.now() - LATER_MS));
    expect([status, body.code]).toEqual([401, 'unauthenticated']);
    expect(await countRequests('outdated')).toBe(before + 1);
  });

  it.each([
    ['body', { body: BODY.replace('100', '999') }],
    ['path', { path: `${PATH}/pay_x/cancel` }],
  ])('replaying a request that the gateway signed with another %s is rejected', async (_part, change) => {
    const before = await countRequests('altered');
    const { status, body } = await replay(capturedHeaders(Date.now()), change);
    expect([status, body.code]).toEqual([401, 'unauthenticated']);
    expect(await countRequests('altered')).toBe(before + 1);
  });
});
