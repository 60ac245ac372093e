import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { expect, it } from 'vitest';
import { createDispatchStores } from '../../test/dispatch-stores.ts';
import type { HeldLease } from './lease.ts';
import { createEndpointLease } from './lease.ts';

const LEASE_MS = 30_000;

function aLease() {
  const clock = createFakeClock();
  const stores = createDispatchStores(clock);
  const { _id: id } = stores.addEndpoint();
  const leaseOf = (instance: string) =>
    createEndpointLease(id, { leases: stores.leasesOf(instance), leaseMs: LEASE_MS, clock });
  return { clock, stores, endpointId: id, own: leaseOf('own'), other: leaseOf('other') };
}

it('the lease of an endpoint is held by one instance at a time', async () => {
  const { own, other } = aLease();
  expect(await own.hold()).not.toBeNull();
  expect(await other.hold()).toBeNull();
  expect([own.isHeld(), other.isHeld()]).toEqual([true, false]);
});

it('the lease of an endpoint is renewed under the same token for as long as it is used', async () => {
  const { clock, own, other } = aLease();
  const first = await own.hold();
  for (let renewal = 0; renewal < 5; renewal += 1) {
    clock.advance(LEASE_MS - 1);
    expect((await own.hold())?.token).toBe(first?.token);
    expect(await other.hold()).toBeNull();
  }
});

it('the lease of an endpoint is acquired by another instance once it has expired, and the first one finds out', async () => {
  const { clock, own, other } = aLease();
  await own.hold();
  clock.advance(LEASE_MS);
  expect(own.isHeld()).toBe(false);
  expect(await other.hold()).not.toBeNull();
  expect(await own.hold()).toBeNull();
  expect(own.isActive()).toBe(false);
});

it('the lease of an endpoint gets a new token when it is acquired again after it has expired', async () => {
  const { clock, own } = aLease();
  const first = await own.hold();
  clock.advance(LEASE_MS);
  expect((await own.hold())?.token).not.toBe(first?.token);
});

it('the lease of an endpoint is acquired again, with the endpoint as it is stored, after the clock was set back', async () => {
  const { clock, stores, endpointId, own, other } = aLease();
  await own.hold();
  stores.setUrl(endpointId, 'https://new.example.com');
  clock.set(clock.now() - HOUR_MS);
  expect(own.isHeld()).toBe(false);
  expect((await own.hold())?.endpoint.url).toBe('https://new.example.com');
  expect(own.isHeld()).toBe(true);
  expect(await other.hold()).toBeNull();
});

it('the lease of an endpoint is acquired once for concurrent calls', async () => {
  const { own } = aLease();
  const held = await Promise.all([own.hold(), own.hold(), own.hold()]);
  expect(new Set(held.map((one) => one?.token)).size).toBe(1);
});

it('the lease of an endpoint should be released when it is idle and unused since the last check', async () => {
  const { own } = aLease();
  await own.hold();
  expect([own.shouldRelease(true), own.shouldRelease(false), own.shouldRelease(true)]).toEqual([
    false,
    false,
    true,
  ]);
});

it('the lease of an endpoint should be released when it is idle after many checks, although it was used between them', async () => {
  const { own } = aLease();
  const checks: boolean[] = [];
  for (let check = 0; check < 6; check += 1) {
    await own.hold();
    checks.push(own.shouldRelease(true));
  }
  expect(checks).toEqual([false, false, false, false, false, true]);
});

it('the lease of an endpoint is free for other instances once it was given up and released', async () => {
  const { stores, own, other } = aLease();
  await own.hold();
  const given = await own.giveUp();
  expect(own.isActive()).toBe(false);
  await stores.leasesOf('own').release([given as HeldLease]);
  expect(await other.hold()).not.toBeNull();
});

it('the lease of an endpoint keeps the health that it was given while the lease lasts, and rejects it after the lease is lost', async () => {
  const { clock, own, other } = aLease();
  const held = (await own.hold()) as HeldLease;
  const failing = { ...held.endpoint.health, failingSince: 1 };
  expect(await own.saveHealth(held, failing, null)).toBe(true);
  own.invalidate();
  expect(own.healthOf((await own.hold()) as HeldLease)).toEqual(failing);
  clock.advance(LEASE_MS);
  expect((await other.hold())?.endpoint.health).toEqual(failing);
  expect(await own.saveHealth(held, held.endpoint.health, null)).toBe(false);
});
