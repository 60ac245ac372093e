import { expect, it } from 'vitest';
import { rewriteLinks } from '../src/repository/links.ts';

const rewritten = (markdown: string) => rewriteLinks(markdown, 'docs/guides/payments.md');

it.each([
  ['a guide', '[Webhooks](receive-webhooks.md#respond)', '[Webhooks](./receive-webhooks.md#respond)'],
  ['a page of another folder', '[Start](../quickstart/README.md)', '[Start](../quickstart.md)'],
  ['an anchor', '[Cancel](#cancel)', '[Cancel](#cancel)'],
  ['another site', '[RFC](https://www.rfc-editor.org)', '[RFC](https://www.rfc-editor.org)'],
  ['a source file', 'See [`payment.ts`](../../services/payments.ts).', 'See `payment.ts`.'],
  ['code', '`[not](a-link.md)`', '`[not](a-link.md)`'],
])('a link to %s leads there, or becomes its text', (_, before, after) => {
  expect(rewritten(before)).toBe(after);
});
