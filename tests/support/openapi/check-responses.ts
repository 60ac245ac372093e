import { afterAll, afterEach, expect } from 'vitest';
import { takeFaults } from './checked-fetch.ts';

/**
 * Setup file: every response that a test gets from a gateway must be as its OpenAPI document says. A test that gets
 * another one fails, whatever it expects itself.
 */
async function expectNoFaults(): Promise<void> {
  expect(await takeFaults(), 'differences from the OpenAPI document').toEqual([]);
}

afterEach(expectNoFaults);
afterAll(expectNoFaults);
