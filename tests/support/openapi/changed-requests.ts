import fc, { type Arbitrary } from 'fast-check';
import type { DocumentedApi, DocumentedOperation, DocumentedRequest } from './documented-api.ts';
import { allowedValues, type DocumentSchema, otherValues } from './documented-values.ts';

type Fields = Record<string, unknown>;
type Change<Value> = (value: Value) => Value;

export interface ChangeOptions {
  /** Texts for fields with rules that the document only describes in words, by name of the field. */
  texts: Record<string, Arbitrary<string>>;
  /** Fields that must match something else, such as a password, a cursor, or another field. */
  bound: ReadonlySet<string>;
}

/**
 * The request with one change that the document may allow or not: another value of a parameter or of a field of the body,
 * one fewer, or one that does not exist.
 */
export function changedRequests(
  api: DocumentedApi,
  operation: DocumentedOperation,
  request: DocumentedRequest,
  { texts, bound }: ChangeOptions,
): Arbitrary<DocumentedRequest> {
  const { resolve } = api;
  const { parameters, requestBody } = operation;
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const key = parameters.find(({ name }) => name === 'Idempotency-Key');
  return fc.oneof(
    ...changesOf(Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema]))).map((changes) =>
      changes.map((change) => ({ ...request, query: textsOf(change(request.query)) })),
    ),
    ...(key ? [keys(key.schema).map((text) => ({ ...request, headers: { [key.name]: text } }))] : []),
    ...(requestBody
      ? changesOf(resolve(requestBody.content['application/json'].schema).properties).map((changes) =>
          changes.map((change) => ({ ...request, body: change(request.body as Fields) })),
        )
      : []),
  );

  function changesOf(properties: Record<string, DocumentSchema> = {}): Arbitrary<Change<Fields>>[] {
    return [
      fc.constant((fields) => ({ ...fields, unknown: 1 })),
      ...Object.entries(properties).flatMap(([name, schema]) => [
        valuesOf(name, schema).map((value) => (fields: Fields) => ({ ...fields, [name]: value })),
        ...(bound.has(name) ? [] : [fc.constant(({ [name]: _, ...fields }: Fields) => fields)]),
        ...changesWithin(name, schema),
      ]),
    ];
  }

  function changesWithin(name: string, schema: DocumentSchema): Arbitrary<Change<Fields>>[] {
    const { properties } = resolve(schema);
    if (properties === undefined || bound.has(name)) return [];
    return changesOf(properties).map((changes) =>
      changes.map((change) => (fields) => ({ ...fields, [name]: change((fields[name] ?? {}) as Fields) })),
    );
  }

  function valuesOf(name: string, schema: DocumentSchema): Arbitrary<unknown> {
    // A short text is within the limits of the schema, and may break a rule that only words describe.
    const isPossible = (value: unknown) =>
      !((bound.has(name) || name in texts) && String(value).length < MAX_UNLIMITED_LENGTH);
    const other = otherValues(schema, resolve).filter(isPossible);
    const allowed = bound.has(name) ? [] : [allowedValues(schema, name, { resolve, texts })];
    return fc.oneof(...allowed, fc.constantFrom(...other, ...WRONG_IN_EVERY_FIELD));
  }

  function keys(schema: DocumentSchema): Arbitrary<string> {
    return fc.oneof(allowedValues(schema, '', { resolve, texts }) as Arbitrary<string>, WRONG_KEYS);
  }
}

const MAX_UNLIMITED_LENGTH = 30;
const WRONG_IN_EVERY_FIELD = [{ unknown: 1 }];
const WRONG_KEYS = fc.constantFrom(
  ...['a b', '"a', '"a"b"', '""', '"\\n"', 'k'.repeat(256), `"${'k'.repeat(256)}"`],
);

/** A query has only texts: a value that is none is left out. */
function textsOf(fields: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null && typeof value !== 'object')
      .map(([name, value]) => [name, String(value)]),
  );
}
