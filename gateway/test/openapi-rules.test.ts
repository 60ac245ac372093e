import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { EXAMPLE_PAYMENT } from '../src/docs/examples.ts';
import { DOCUMENTS, objectsIn } from './support/documents.ts';

type Json = Record<string, unknown>;

describe.each(Object.entries(DOCUMENTS))('the document of %s', (_api, document) => {
  const { info, servers, tags, paths, webhooks = {}, components } = document as Record<string, Json>;
  const operations = [...objectsIn({ paths, webhooks })].filter(([, object]) => 'operationId' in object);
  const isIn = (path: readonly string[], place: string) => path.includes(place);

  test('an OpenAPI document names its servers, its license, and its contact', () => {
    expect(Object.values(servers as object).length).toBeGreaterThan(0);
    for (const { url, description } of Object.values(servers as object)) {
      expect(new URL(url).protocol).toBe('https:');
      expect(description).toBeTruthy();
    }
    expect(info).toMatchObject({
      license: { identifier: 'Apache-2.0' },
      contact: { url: expect.any(String) },
    });
  });

  test('an OpenAPI document has a description of every operation and tag', () => {
    for (const [path, { description }] of operations) expect(description, path.join('/')).toMatch(/\.$/);
    for (const tag of Object.values(tags as object)) expect(tag.description).toMatch(/\.$/);
  });

  test('an OpenAPI document contains only patterns that RE2 compiles', () => {
    const patterns = [...objectsIn(document)].flatMap(([, { pattern }]) =>
      typeof pattern === 'string' ? [pattern] : [],
    );
    expect(patterns.length).toBeGreaterThan(0);
    for (const pattern of patterns) expect(() => RE2JS.compile(pattern), pattern).not.toThrow();
  });

  test('an OpenAPI document states the type of every enumeration and constant', () => {
    for (const [path, object] of objectsIn(document)) {
      if (['enum', 'const', 'x-extensible-enum'].some((keyword) => keyword in object)) {
        expect(object, path.join('/')).toHaveProperty('type');
      }
    }
  });

  test('an OpenAPI document leaves responses open for new fields and values, and closes requests', () => {
    const schemas = components?.['schemas'] as Record<string, Json>;
    const [requested, returned] = [new Set<string>(), new Set<string>()];
    for (const [path, { schema }] of objectsIn(document)) {
      if (typeof schema !== 'object' || schema === null) continue;
      const isRequest = isIn(path, 'requestBody') && !isIn(path, 'webhooks');
      for (const name of referencesOf(schema, schemas)) (isRequest ? requested : returned).add(name);
    }
    for (const name of returned) {
      for (const [path, object] of objectsIn(schemas[name], [name])) {
        expect(object['additionalProperties'], path.join('/')).not.toBe(false);
        expect(object, path.join('/')).not.toHaveProperty('enum');
      }
    }
    for (const name of requested) {
      for (const [path, object] of objectsIn(schemas[name], [name])) {
        if (object['type'] === 'object')
          expect(object, path.join('/')).toHaveProperty('additionalProperties');
        expect(object, path.join('/')).not.toHaveProperty('x-extensible-enum');
      }
    }
    expect([requested.size, returned.size]).not.toContain(0);
  });

  test('an OpenAPI document has examples that match their schemas', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false, validateSchema: false, allErrors: true }));
    ajv.addSchema(document, 'document');
    let checked = 0;
    for (const [path, { schema, example, examples }] of objectsIn(document)) {
      const values = [
        example,
        ...Object.values(examples ?? {}).map((one) => exampleValue(one, document)),
      ].filter((value) => value !== undefined);
      if (schema === undefined || values.length === 0) continue;
      // Unlike `compile`, it compiles each component once.
      const validate = ajv.getSchema(`document#/${[...path, 'schema'].map(pointerPart).join('/')}`);
      for (const value of values) {
        expect([validate?.(value), validate?.errors], path.join('/')).toEqual([true, null]);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(0);
  });

  test('an OpenAPI document gives every error code an example with its status', () => {
    for (const [path, responses] of operations.map(([path, { responses }]) => [path, responses] as const)) {
      for (const [status, { content = {} }] of Object.entries(
        responses as Record<string, { content?: Json }>,
      )) {
        const problem = content['application/problem+json'] as { examples: Json } | undefined;
        for (const [code, example] of Object.entries(problem?.examples ?? {})) {
          expect(exampleValue(example, document), path.join('/')).toMatchObject({
            code,
            status: Number(status),
          });
        }
      }
    }
  });
});

describe('the document of the public API', () => {
  const document = DOCUMENTS['the public API'] as Record<string, Json>;

  test.each([
    ['failed', null, false],
    ['failed', { code: 'declined', message: 'No.' }, true],
    ['succeeded', null, true],
    ['succeeded', { code: 'declined', message: 'No.' }, false],
  ])(
    'the document of the public API allows a payment with the status %s and the failure %j: %s',
    (status, failure, isAllowed) => {
      const ajv = addFormats.default(new Ajv2020({ strict: false, validateSchema: false }));
      const validate = ajv.addSchema(document, 'document').getSchema('document#/components/schemas/Payment');
      expect(validate?.({ ...EXAMPLE_PAYMENT, status, failure })).toBe(isAllowed);
    },
  );

  test('the document of the public API describes every parameter, header, and field', () => {
    const named = [...objectsIn(document)].filter(
      ([path, object]) =>
        (path.at(-2) === 'properties' && !isCondition(path)) ||
        (path.at(-3) === 'components' && path.at(-2) === 'headers') ||
        ('in' in object && 'schema' in object),
    );
    expect(named.length).toBeGreaterThan(0);
    for (const [path, object] of named) {
      expect(object['description'] ?? object['$ref'], path.join('/')).toBeTruthy();
    }
  });
});

/** Whether a schema only states what others must be together, and so describes no field. */
function isCondition(path: readonly string[]): boolean {
  return ['if', 'then', 'else'].includes(path.at(-3) as string);
}

/** The names of the components that a schema refers to, directly or through others. */
function referencesOf(schema: object, schemas: Record<string, Json>, found = new Set<string>()): Set<string> {
  for (const [, { $ref }] of objectsIn(schema)) {
    const name = typeof $ref === 'string' ? ($ref.split('/').at(-1) as string) : '';
    if (name === '' || found.has(name)) continue;
    found.add(name);
    referencesOf(schemas[name] as Json, schemas, found);
  }
  return found;
}

function exampleValue(example: unknown, document: object): unknown {
  const { $ref, value } = example as { $ref?: string; value?: unknown };
  if ($ref === undefined) return value;
  const names = $ref.split('/').slice(1);
  return (names.reduce<unknown>((node, name) => (node as Json)[name], document) as Json)['value'];
}

/** RFC 6901 §3, in a URI fragment. */
function pointerPart(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
