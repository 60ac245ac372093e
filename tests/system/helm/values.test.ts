import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CHART_DIR, VARIANTS } from './support/chart.ts';
import { defaults, mergeValues, type Schema, schema, type Values, valuesErrors } from './support/values.ts';

it.each(Object.entries(VARIANTS))('values.schema.json accepts %s', (_, values) => {
  expect(valuesErrors(values)).toEqual([]);
});

it('values.schema.json requires where the image is, and where Tollgate is reached', () => {
  expect(valuesErrors({})).toEqual([
    '/image/repository',
    '/urls/live',
    '/urls/sandbox',
    '/urls/admin',
    '/urls/dashboard',
  ]);
});

it.each<[wrong: string, values: Values, path: string]>([
  ['an unknown value', { imagee: {} }, ''],
  ['an unknown value of a role', { roles: { usage: { replica: 3 } } }, '/roles/usage'],
  ['an unknown role', { roles: { ledger: {} } }, '/roles'],
  ['no instance', { roles: { audit: { replicas: 0 } } }, '/roles/audit/replicas'],
  ['text instead of a number', { nats: { replicas: '3' } }, '/nats/replicas'],
  ['more copies than JetStream keeps', { nats: { replicas: 7 } }, '/nats/replicas'],
  ['a URL with a path', { urls: { live: 'https://example.com/api' } }, '/urls/live'],
  ['a password in the address of a server', { nats: { hosts: ['u:p@nats'] } }, '/nats/hosts/0'],
  ['a network without a length', { webhooks: { liveNetworks: ['10.0.0.1'] } }, '/webhooks/liveNetworks/0'],
  ['a listener that does not exist', { ingress: { expose: ['ops'] } }, '/ingress/expose/0'],
  [
    'an environment variable that is not a text',
    { roles: { usage: { env: { A: 1 } } } },
    '/roles/usage/env/A',
  ],
  ['a digest that is cut off', { image: { digest: 'sha256:abc' } }, '/image/digest'],
  ['a peer that is misspelt', { networkPolicy: { natsPeers: [{ pod: {} }] } }, '/networkPolicy/natsPeers/0'],
])('values.schema.json rejects %s', (_, values, path) => {
  expect(valuesErrors(mergeValues(VARIANTS['what is required'], values))).toContain(path);
});

it('values.schema.json describes every value, and knows every object', () => {
  const missing: string[] = [];
  visit('', schema, (path, { description, type, additionalProperties, properties }) => {
    if (path !== '' && description === undefined) missing.push(`${path} has no description`);
    if (type === 'object' && properties !== undefined && additionalProperties !== false)
      missing.push(`${path} is open`);
  });
  expect(missing).toEqual([]);
});

it('values.schema.json has a default for every value', () => {
  const without: string[] = [];
  visit('', schema, (path) => {
    const keys = path.split('.').filter((key) => key !== '');
    const value = keys.reduce<unknown>((inner, key) => (inner as Values | undefined)?.[key], defaults);
    if (value === undefined) without.push(path);
  });
  // Set by Helm itself.
  expect(without).toEqual(['.global']);
});

it('values.yaml has no secret', () => {
  const text = readFileSync(join(CHART_DIR, 'values.yaml'), 'utf8');
  expect(text).not.toMatch(/^\s*\w*(password|token|secretKey)\w*:/im);
});

/** Calls it for every value that has a name. */
function visit(path: string, entry: Schema, call: (path: string, entry: Schema) => void): void {
  call(path, entry);
  const own = entry.allOf?.map(
    ({ $ref = '' }) => schema.definitions?.[$ref.split('/').at(-1) ?? ''] ?? {},
  ) ?? [entry];
  for (const { properties = {} } of own) {
    for (const [name, inner] of Object.entries(properties)) visit(`${path}.${name}`, inner, call);
  }
}
