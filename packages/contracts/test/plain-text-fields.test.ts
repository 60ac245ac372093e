import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { ADMIN_ROUTES } from '../src/admin-api/routes.ts';
import { CancelPaymentBody, CreatePaymentBody } from '../src/payments/payment.ts';

interface TextSchema {
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown;
  const?: unknown;
  anyOf?: TextSchema[];
  items?: TextSchema;
  properties?: Record<string, TextSchema>;
  patternProperties?: Record<string, TextSchema>;
}

/** Credentials, addresses, and text that is compared with stored text, which may be older than the rule. */
const NOT_STORED_AS_WRITTEN = new Set([
  ...words(
    'password current_password new_password token setup_token device_token device_tokens totp user_code',
  ),
  ...words('device_code recovery_code browser_token client_secret response'),
  ...words('url issuer domain address user_agent allowed_cidrs transports webhook_id'),
  ...words('body webhook_signature webhook_timestamp filters signIn.email'),
]);

/** Texts without a rule for their characters, by the path of the field. */
function freeTexts(schema: TextSchema, path: string, name: string): string[] {
  const { type, format, pattern, anyOf, items, properties, patternProperties } = schema;
  if (
    schema.enum !== undefined ||
    schema.const !== undefined ||
    [name, path].some((of) => NOT_STORED_AS_WRITTEN.has(of))
  )
    return [];
  if (anyOf) return anyOf.flatMap((branch) => freeTexts(branch, path, name));
  if (items) return freeTexts(items, path, name);
  const inner = { ...properties, ...patternProperties };
  if (type === 'object')
    return Object.entries(inner).flatMap(([field, of]) => freeTexts(of, `${path}.${field}`, field));
  return type === 'string' && pattern === undefined && format === undefined ? [path] : [];
}

const changes = Object.entries(ADMIN_ROUTES).filter(([, { method }]) => method !== 'GET');
const requests: [name: string, schema: TSchema][] = [
  ['CreatePaymentBody', CreatePaymentBody],
  ['CancelPaymentBody', CancelPaymentBody],
  ...changes.map(([name, { rpc }]): [string, TSchema] => [name, rpc.request]),
];

describe('every text that a caller stores follows one rule of characters', () => {
  test.each(requests)('%s', (name, schema) => {
    expect(freeTexts(schema as TextSchema, name, name)).toEqual([]);
  });
});

function words(text: string): string[] {
  return text.split(' ');
}
