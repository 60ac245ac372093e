import { expect, it } from 'vitest';
import { outcomeOf } from './outcome-of.ts';

const failure = {
  values: { form: 'rename', name: 'Shop' },
  lists: {},
  errors: { name: 'Too long.' },
  message: 'Check the highlighted fields.',
  requestId: null,
};

it('a rejection belongs only to the form that was submitted', () => {
  expect(outcomeOf(failure, 'rename')).toEqual({ failure, done: undefined });
  expect(outcomeOf(failure, 'scopes')).toEqual({ failure: null, done: undefined });
});

it('a success belongs only to the form that was submitted', () => {
  const success = { form: 'scopes', done: 'Saved.' };
  expect(outcomeOf(success, 'scopes')).toEqual({ failure: null, done: 'Saved.' });
  expect(outcomeOf(success, 'rename')).toEqual({ failure: null, done: undefined });
});

it('a page without a submission has no outcome', () => {
  expect(outcomeOf(null, 'rename')).toEqual({ failure: null, done: undefined });
});
