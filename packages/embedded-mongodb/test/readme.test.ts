import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withScopeTable } from '../scripts/scope-table.ts';

test('the README lists exactly the features in the registries', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(withScopeTable(readme), 'run `node scripts/scope-table.ts`').toBe(readme);
});
