import type { Schema } from './documents.ts';

const EXAMPLE_TIME = '2026-01-15T09:30:05.000Z';
/** Patterns of ids start with their prefix, such as `^app_`. */
const ID_PATTERN = /^\^([a-z]+_)/;
const EXAMPLE_ID = '01kf0fj3s0ec7s9q7v0h5x2m4n';

const TEXTS: Record<string, string> = {
  name: 'Shop',
  email: 'ada@example.com',
  password: 'correct horse battery staple',
  url: 'https://shop.example/webhooks',
};

/** Fields that the first response has, and a replayed one has not. */
const SHOWN_ONCE = new Set(['secret', 'token']);

/** A value of the schema, for examples. A request has its required fields, and a response has null where it can be. */
export function exampleValue(schema: Schema, isRequest: boolean, name = ''): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (!isRequest && isNullable(schema) && !SHOWN_ONCE.has(name)) return null;
  if (schema.anyOf !== undefined) return exampleValue(schema.anyOf[0] ?? {}, isRequest, name);
  if (schema.properties !== undefined) return exampleObject(schema, isRequest);
  const [type] = [schema.type].flat();
  if (type === 'object') return {};
  if (type === 'array') return schema.items ? [exampleValue(schema.items, isRequest, name)] : [];
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1);
  if (type === 'boolean') return true;
  return type === 'string' ? exampleText(schema, name) : null;
}

function exampleObject({ properties = {}, required = [] }: Schema, isRequest: boolean): object {
  const names = Object.keys(properties).filter((name) => !isRequest || required.includes(name));
  // A request whose fields are all optional, such as a change, would be empty.
  const shown = names.length === 0 ? Object.keys(properties).slice(0, 1) : names;
  return Object.fromEntries(
    shown.map((name) => [name, exampleValue(properties[name] ?? {}, isRequest, name)]),
  );
}

function isNullable({ type, anyOf }: Schema): boolean {
  return [type].flat().includes('null') || (anyOf ?? []).some((each) => each.type === 'null');
}

function exampleText({ format, pattern = '', description = '' }: Schema, name: string): string {
  // The enumerations of responses are open, and so described instead of listed.
  const [, first] = /^One of `([^`]+)`/.exec(description) ?? [];
  if (first !== undefined) return first;
  const [, prefix] = ID_PATTERN.exec(pattern) ?? [];
  if (prefix !== undefined) return prefix + EXAMPLE_ID;
  if (format === 'date-time') return EXAMPLE_TIME;
  return TEXTS[name] ?? '…';
}
