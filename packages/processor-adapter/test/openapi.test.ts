import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { ADAPTER_RULES } from '../src/contract/rules.ts';
import { openapiDocument } from '../src/openapi/openapi-document.ts';

const COMMITTED = readFileSync(
  new URL('../../../docs/processor-adapter.openapi.json', import.meta.url),
  'utf8',
);

it('the OpenAPI document is committed as the schemas and rules describe it (`npm run openapi` writes it)', () => {
  expect(JSON.parse(COMMITTED)).toEqual(JSON.parse(JSON.stringify(openapiDocument())));
});

it('the OpenAPI document is valid OpenAPI 3.1', async () => {
  expect(await new Validator().validate(JSON.parse(COMMITTED))).toEqual({ valid: true });
});

it('the OpenAPI document contains every rule of the contract', () => {
  const { info } = JSON.parse(COMMITTED);
  for (const rule of Object.values(ADAPTER_RULES)) expect(info.description).toContain(`- ${rule}`);
});
