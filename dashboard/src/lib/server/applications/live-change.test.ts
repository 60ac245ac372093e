import { expect, it } from 'vitest';
import { limitChanges, scopeChanges, trafficLabel } from './live-change.ts';

it('the change that a member confirms names added and removed scopes', () => {
  expect(scopeChanges(['payment:create', 'payment:read'], ['payment:read', 'payment:cancel'])).toEqual([
    'Adds: cancel payments',
    'Removes: create payments',
  ]);
});

it('the change that a member confirms is empty for the same scopes in another order', () => {
  expect(scopeChanges(['payment:create', 'payment:read'], ['payment:read', 'payment:create'])).toEqual([]);
});

it('the change that a member confirms names the limit before and after', () => {
  const before = { requests_per_second: 100, burst: 200 };
  expect(limitChanges(before, { requests_per_second: 5, burst: 10 })).toEqual([
    'Changes the limit from 100 requests/s (burst 200) to 5 requests/s (burst 10)',
  ]);
  expect(limitChanges(before, { ...before })).toEqual([]);
});

it('the change that a member confirms is empty for a limit that is not a number, which the service rejects', () => {
  expect(
    limitChanges({ requests_per_second: 100, burst: 200 }, { requests_per_second: Number.NaN, burst: 1 }),
  ).toEqual([]);
});

it.each([
  [null, 'Live traffic unknown: usage is unavailable'],
  [0, 'No live requests in the last hour'],
  [29, 'Less than 1 request/min in the last hour'],
  [60, '1 request/min in the last hour'],
  [720, '12 requests/min in the last hour'],
  [90_000, '1,500 requests/min in the last hour'],
])('the live traffic of an application of %s requests in an hour is shown as "%s"', (requests, label) => {
  expect(trafficLabel(requests)).toBe(label);
});
