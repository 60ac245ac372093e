import { readFileSync } from 'node:fs';
import type { VariableTable } from '@tollgate/runtime/config';
import { expect, it } from 'vitest';
import { GENERATED } from '../src/generated.ts';
import { TABLES } from '../src/tables.ts';

it.each(GENERATED)('$file is generated (`npm run generate` writes it)', ({ file, text }) => {
  expect(readFileSync(file, 'utf8')).toBe(text());
});

/** Variables that can contain a secret by their name. Those for public keys cannot. */
const SECRET_NAME = /SECRET|TOKEN|PASSWORD|PEPPER|(?<!PUBLIC)_KEYS?$|^(NATS|MONGODB|SMTP)_URL(_|$)/;
const variables = Object.values(TABLES).flatMap((table: VariableTable) => Object.values(table));

it('a variable is marked as a secret if its name says that it is one', () => {
  const wrong = variables.filter(
    ({ name, isSecret = false }) => isSecret !== SECRET_NAME.test(name) && name !== 'AUDIT_WITNESS_URL',
  );
  expect(wrong.map(({ name }) => name)).toEqual(['SECRET_SCANNING_PUBLIC_KEYS', 'LEAKED_PASSWORDS_URL']);
});

it('a variable never shows a secret in an error', () => {
  const secret = 'hunter2://hunter2:hunter2';
  const errors = variables
    .filter(({ isSecret }) => isSecret)
    .flatMap(({ parse }) => {
      try {
        parse(secret, {});
        return [];
      } catch (error) {
        return [(error as Error).message];
      }
    });
  expect(errors.length).toBeGreaterThan(20);
  expect(errors.join('\n')).not.toContain('hunter2');
});
