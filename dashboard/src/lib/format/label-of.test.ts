import { expect, it } from 'vitest';
import { labelOf } from './label-of.ts';

const LABELS = { canceled: 'Canceled by a member' };

it('`labelOf` names a value that this release knows', () => {
  expect(labelOf(LABELS, 'canceled')).toBe('Canceled by a member');
});

it.each([
  ['action_required', 'Action required'],
  ['payment.action_required', 'Action required'],
  ['reversed', 'Reversed'],
])('`labelOf` shows %s, a value of a later release, as "%s"', (value, label) => {
  expect(labelOf<string>(LABELS, value)).toBe(label);
});
