import { expect, it } from 'vitest';
import { countNew, inPlace } from './hold-rows.svelte.ts';

const shown = [
  { id: 'b', status: 'pending' },
  { id: 'a', status: 'pending' },
];
const next = [
  { id: 'c', status: 'pending' },
  { id: 'b', status: 'succeeded' },
];

it('a list that is read keeps its rows in their places, each as it is now', () => {
  expect(inPlace(shown, next)).toEqual([
    { id: 'b', status: 'succeeded' },
    { id: 'a', status: 'pending' },
  ]);
});

it('a list that is read counts the rows that wait', () => {
  expect(countNew(shown, next)).toBe(1);
  expect(countNew(shown, shown)).toBe(0);
});
