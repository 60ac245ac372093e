import { expect, it } from 'vitest';
import { outcomeOf } from './outcome-of.ts';

const failure = {
  values: { form: 'rename', name: 'Shop' },
  lists: {},
  errors: { name: 'Too long.' },
  message: 'Check the highlighted fields.',
  requestId: null,
};

it('a rejection belongs to the form that was sent, and to no other of the page', () => {
  expect(outcomeOf(failure, 'rename')).toEqual({ failure, done: undefined });
  expect(outcomeOf(failure, 'scopes')).toEqual({ failure: null, done: undefined });
});

it('a success belongs to the form that was sent, and to no other of the page', () => {
  const success = { form: 'scopes', done: 'Saved.' };
  expect(outcomeOf(success, 'scopes')).toEqual({ failure: null, done: 'Saved.' });
  expect(outcomeOf(success, 'rename')).toEqual({ failure: null, done: undefined });
});

it('a page that was just opened has no outcome', () => {
  expect(outcomeOf(null, 'rename')).toEqual({ failure: null, done: undefined });
});
