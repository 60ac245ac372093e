import { expect, it } from 'vitest';
import { toneOf } from './status-tones.ts';

it('toneOf gives states with the same meaning the same tone', () => {
  expect(['revoked', 'expired', 'archived', 'disabled'].map(toneOf)).toEqual(Array(4).fill('neutral'));
  expect(['active', 'enabled', 'succeeded'].map(toneOf)).toEqual(Array(3).fill('good'));
});

it.each(['later_state', 'toString'])(
  'toneOf is neutral for a state that only a later release knows: %s',
  (state) => {
    expect(toneOf(state)).toBe('neutral');
  },
);
