import { publishText } from '@tollgate/bus/announce';
import { PAYMENTS_ANNOUNCEMENT_SUBJECT } from '@tollgate/contracts/platform/streams';
import { signAnnouncement } from '@tollgate/security/announcement';
import { pepperFingerprint } from '@tollgate/security/api-key';
import { type Keyring, parseKeyring } from '@tollgate/security/keyring';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALIVE_FOR_MS } from '../src/payments-instances/payments-pool.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from './support/gateway-under-test.ts';

const URL = 'http://127.0.0.1:1';
const OTHER_KEY = Buffer.alloc(32, 9);

let gateway: GatewayUnderTest;
beforeEach(async () => {
  gateway = await startGatewayUnderTest();
});
afterEach(() => gateway.stop());

async function reasons(): Promise<string[]> {
  const response = await fetch(`${gateway.opsUrl}/readyz`);
  const body = (await response.json()) as { reasons?: string[] };
  return response.status === 200 ? [] : (body.reasons ?? []);
}

/** Announces an instance as payments does, with its clock ahead of the gateway's. */
async function announce(keys: Keyring, aheadMs = 0): Promise<void> {
  const sentAt = new Date(gateway.clock.now() + aheadMs).toISOString();
  const announcement = { instance_id: 'p1', url: URL, state: 'serving', sent_at: sentAt } as const;
  publishText(gateway.bus, PAYMENTS_ANNOUNCEMENT_SUBJECT, signAnnouncement(keys, announcement));
  await gateway.bus.nats.flush();
}

const timesLogged = (text: string) => gateway.logged().split(text).length - 1;

it('a gateway that has just started is not ready before a payments instance has announced itself', async () => {
  await gateway.settled();
  expect(await reasons()).toEqual(['no payments instance has announced itself yet']);
  await gateway.announce(URL);
  expect(await reasons()).toEqual([]);
});

it('a gateway that has just started names the key that it lacks, or that differs, and logs it once', async () => {
  await gateway.settled();
  const next = parseKeyring(`2:${OTHER_KEY.toString('base64')}`);
  const lacked = 'INTERNAL_SIGNING_KEYS has no version 2';
  await expect
    .poll(async () => {
      await announce(next);
      return reasons();
    })
    .toEqual([`no announcement of a payments instance is accepted: ${lacked}`]);
  await announce(next);
  await reasons();
  expect(timesLogged(`"reason":"${lacked}`)).toBe(1);
  expect(timesLogged(`is accepted: ${lacked}`)).toBe(1);

  const other = parseKeyring(`1:${OTHER_KEY.toString('base64')}`);
  await expect
    .poll(async () => {
      await announce(other);
      return (await reasons()).join();
    })
    .toContain('INTERNAL_SIGNING_KEYS has another key in version 1');
});

it('a gateway that has just started says by how much its clock differs from that of payments', async () => {
  await gateway.settled();
  await expect
    .poll(async () => {
      await announce(gateway.signingKeys, 5 * 60_000);
      return (await reasons()).join();
    })
    .toContain('its clock is 300.0 s ahead of this one, and 30 s are allowed');
});

it('a gateway that received an announcement of payments stays ready while payments is down, so that callers get a 503 that says so', async () => {
  await gateway.settled();
  await gateway.announce(URL);
  gateway.clock.advance(ALIVE_FOR_MS + 1);
  expect(await reasons()).toEqual([]);
});

it('a gateway that received an announcement of payments stays ready while one of the instances has another key', async () => {
  await gateway.settled();
  await gateway.announce(URL);
  await announce(parseKeyring(`2:${OTHER_KEY.toString('base64')}`));
  await expect.poll(() => timesLogged('INTERNAL_SIGNING_KEYS has no version 2')).toBe(1);
  expect(await reasons()).toEqual([]);
});

it('a gateway that received an announcement of payments is not ready when all instances sign with a key that it lacks', async () => {
  await gateway.announce(URL);
  // A repeated announcement that arrives after the clock has moved would count as recent.
  await gateway.settled();
  gateway.clock.advance(ALIVE_FOR_MS + 1);
  await expect
    .poll(async () => {
      await announce(parseKeyring(`2:${OTHER_KEY.toString('base64')}`));
      return (await reasons()).join();
    })
    .toContain('INTERNAL_SIGNING_KEYS has no version 2');
});

describe('a gateway with another pepper than applications', () => {
  const putKey = async (entry: object) =>
    gateway.putKey('live', { application_id: await gateway.putApplication(), ...entry });

  it('a gateway with another pepper than applications is not ready, and says that it rejects every API key', async () => {
    await gateway.announce(URL);
    await putKey({ pepper_version: '2' });
    await putKey({ pepper_fingerprint: pepperFingerprint(OTHER_KEY) });
    await expect
      .poll(reasons)
      .toEqual([
        'API_KEY_PEPPERS lacks the pepper that applications uses (version 1, 2): every API key is rejected',
      ]);
  });

  it('a gateway with another pepper than applications is ready when it can check one of the active keys', async () => {
    await gateway.announce(URL);
    await putKey({ pepper_version: '2' });
    await expect.poll(reasons).not.toEqual([]);
    await putKey({});
    await expect.poll(reasons).toEqual([]);
  });

  it('a gateway with another pepper than applications does not count revoked keys', async () => {
    await gateway.announce(URL);
    await putKey({ pepper_version: '2', status: 'revoked' });
    await gateway.settled();
    expect(await reasons()).toEqual([]);
  });
});
