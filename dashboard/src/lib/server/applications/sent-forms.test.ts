import { expect, it } from 'vitest';
import { createSentForms } from './sent-forms.ts';

function browser() {
  let value: string | undefined;
  const cookies = {
    get: () => value,
    set: (_name: string, next: string) => {
      value = next;
    },
  };
  return () => createSentForms(cookies, { path: '/live/applications', secure: true });
}

it('recognizes a form that was submitted before, and no other', () => {
  const open = browser();
  expect(open().has('a')).toBe(false);
  open().add('a');
  open().add('b');
  expect(['a', 'b', 'c', ''].map((id) => open().has(id))).toEqual([true, true, false, false]);
});

it('limits the size of the cookie', () => {
  const open = browser();
  for (let count = 0; count < 100; count++) open().add(`form-${count}`);
  expect(open().has('form-99')).toBe(true);
  expect(open().has('form-0')).toBe(false);
});
