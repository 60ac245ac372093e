import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/payments/events';
import { newId } from '@tollgate/contracts/platform/ids';
import { MAX_SECRET_OVERLAP_S } from '@tollgate/contracts/webhooks/webhook';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HEALTHY } from '../health/endpoint-health.ts';
import type { SealedSecret } from '../secrets/secret-cipher.ts';
import {
  disabled,
  type Endpoint,
  enabled,
  newEndpoint,
  receives,
  signingSecrets,
  typesOf,
  withFields,
  withRotatedSecret,
} from './endpoint.ts';

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms);
const sealed = (name: string): SealedSecret => ({ key_version: '1', iv: '', ciphertext: name, tag: '' });

function anEndpoint(): Endpoint {
  const owner = {
    _id: newId('webhookEndpoint'),
    team_id: newId('team'),
    application_id: newId('application'),
    environment: 'live' as const,
  };
  const fields = { url: 'https://example.com/', description: '', event_types: ['payment.created' as const] };
  return newEndpoint({ ...owner, ...fields }, sealed('first'), at(0));
}

const signing = (endpoint: Endpoint, ms: number) =>
  signingSecrets(endpoint, at(ms)).map((secret) => secret.sealed.ciphertext);

it('the event types of an endpoint are those that it names', () => {
  const endpoint = anEndpoint();
  expect(typesOf(endpoint)).toEqual(['payment.created']);
  expect(receives(endpoint, 'payment.failed')).toBe(false);
});

it('the event types of an endpoint are all with *, which stands alone', () => {
  const endpoint = withFields(anEndpoint(), { event_types: ['payment.created', '*'] }, at(1));
  expect(endpoint.event_types).toEqual(['*']);
  expect(typesOf(endpoint)).toEqual(PAYMENT_EVENT_TYPES);
  expect(receives(endpoint, 'payment.failed')).toBe(true);
});

it('a rotation signs with both secrets until the overlap ends, then with the new one only, for any overlap of 0 to 7 days', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MAX_SECRET_OVERLAP_S * 1000 }), (overlapMs) => {
      const rotated = withRotatedSecret(anEndpoint(), sealed('second'), overlapMs, at(0));
      if (overlapMs > 0) expect(signing(rotated, overlapMs - 1)).toEqual(['second', 'first']);
      expect(signing(rotated, overlapMs)).toEqual(['second']);
    }),
  );
});

it('a rotation does not extend a secret that an earlier rotation made expire', () => {
  const once = withRotatedSecret(anEndpoint(), sealed('second'), 1_000, at(0));
  const twice = withRotatedSecret(once, sealed('third'), 60_000, at(500));
  expect(signing(twice, 600)).toEqual(['third', 'second', 'first']);
  expect(signing(twice, 1_000)).toEqual(['third', 'second']);
  expect(signing(twice, 60_500)).toEqual(['third']);
});

it('a rotation without an overlap removes the old secrets immediately', () => {
  const rotated = withRotatedSecret(anEndpoint(), sealed('second'), 0, at(0));
  expect(rotated.secrets).toHaveLength(1);
});

it('a rotation is rejected while too many old secrets still sign', () => {
  const rotate = (endpoint: Endpoint) => withRotatedSecret(endpoint, sealed('next'), 60_000, at(0));
  const often = rotate(rotate(rotate(rotate(anEndpoint()))));
  expect(() => rotate(often)).toThrow('conflict');
});

it('an endpoint is unchanged by its own field values, and when it is enabled or disabled again', () => {
  const endpoint = anEndpoint();
  expect(withFields(endpoint, { url: endpoint.url }, at(1))).toBe(endpoint);
  expect(enabled(endpoint, at(1))).toBe(endpoint);
  const off = disabled(endpoint, 'member', 'because', at(1));
  expect(disabled(off, 'gone', null, at(2))).toBe(off);
  expect(off.version).toBe(2);
});

it('an endpoint resets its failures when its URL changes or it is enabled, and keeps them through other changes', () => {
  const failing = { ...anEndpoint(), health: { ...HEALTHY, failingSince: 1, connectionFailures: 7 } };
  expect(withFields(failing, { description: 'x' }, at(1)).health).toBe(failing.health);
  expect(withFields(failing, { url: 'https://example.org/' }, at(1)).health).toEqual(HEALTHY);
  expect(enabled(disabled(failing, 'failing', null, at(1)), at(2)).health).toEqual(HEALTHY);
});
