import { expect, it } from 'vitest';
import { openPage } from '../src/payments/open-page.ts';
import { testTerminal } from './support/test-terminal.ts';

const redirectTo = (url: string) => ({ status: 'pending', next_action: { type: 'redirect', url } }) as const;

it('`--open` opens the page of the payer, and prints its address', async () => {
  const terminal = testTerminal();
  await openPage(redirectTo('https://pay.example/c/1'), terminal);
  expect(terminal.opened).toEqual(['https://pay.example/c/1']);
  expect(terminal.errors).toEqual(['Open https://pay.example/c/1']);
});

it('`--open` opens nothing that is not a page', async () => {
  const terminal = testTerminal();
  await openPage(redirectTo('file:///etc/passwd'), terminal);
  expect(terminal.opened).toEqual([]);
});

it('`--open` says that a payment has no page', async () => {
  const terminal = testTerminal();
  await openPage({ status: 'succeeded', next_action: null }, terminal);
  expect(terminal.opened).toEqual([]);
  expect(terminal.errors).toEqual(['The payment has no page for the payer. Its status is succeeded.']);
});
