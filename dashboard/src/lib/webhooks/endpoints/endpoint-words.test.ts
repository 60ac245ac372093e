import { expect, it } from 'vitest';
import { deliveriesOnTheirWay, eventTypesInWords } from './endpoint-words.ts';

it('says which events without listing many', () => {
  expect(eventTypesInWords(['a', 'b'], 2)).toBe('All events');
  expect(eventTypesInWords(['payment.failed'], 5)).toBe('payment.failed');
  expect(eventTypesInWords(['a', 'b', 'c'], 5)).toBe('3 of 5 events');
});

it('counts deliveries in a sentence', () => {
  expect([0, 1, 1200].map((count) => deliveriesOnTheirWay(count, 'It has missed nothing.'))).toEqual([
    'It has missed nothing.',
    '1 delivery is on its way.',
    '1,200 deliveries are on their way.',
  ]);
});
