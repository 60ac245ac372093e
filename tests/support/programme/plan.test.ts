import { expect, it } from 'vitest';
import { createPlan } from './plan.ts';
import { createRandom } from './random.ts';

const INTEGRATIONS = [{ environment: 'sandbox' }, { environment: 'live' }] as const;
const OPERATIONS = 500;

function draw(seed: number) {
  const plan = createPlan(createRandom(seed), INTEGRATIONS);
  const operations = Array.from({ length: OPERATIONS }, () => plan.next());
  return { operations, orders: [...plan.orders.values()] };
}

it('a plan is the same for the same seed', () => {
  expect(draw(7)).toEqual(draw(7));
});

it('a plan differs for another seed', () => {
  expect(draw(7)).not.toEqual(draw(8));
});

it('a plan has every kind of operation, and names only orders and keys that were drawn before', () => {
  const { operations } = draw(7);
  const known = new Set<string>();
  for (const operation of operations) {
    if (operation.kind === 'create') known.add(operation.order);
    else if (operation.kind === 'create-key') known.add(operation.key);
    else if ('order' in operation) expect(known).toContain(operation.order);
    else if ('key' in operation) expect(known).toContain(operation.key);
  }
  expect(new Set(operations.map(({ kind }) => kind)).size).toBe(9);
});

it('a plan revokes a key once, and tries it again', () => {
  const { operations } = draw(7);
  const revoked = new Set<string>();
  let tries = 0;
  for (const operation of operations) {
    if (operation.kind === 'use-key' && revoked.has(operation.key)) tries += 1;
    if (operation.kind !== 'revoke-key') continue;
    expect(revoked).not.toContain(operation.key);
    revoked.add(operation.key);
  }
  expect(tries).toBeGreaterThan(0);
});
