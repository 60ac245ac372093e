import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { CHART_DIR } from './chart.ts';

export interface Schema {
  $ref?: string;
  description?: string;
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  allOf?: Schema[];
  definitions?: Record<string, Schema>;
}

export type Values = Record<string, unknown>;

export const schema = JSON.parse(readFileSync(join(CHART_DIR, 'values.schema.json'), 'utf8')) as Schema;
export const defaults = parse(readFileSync(join(CHART_DIR, 'values.yaml'), 'utf8'), {
  merge: true,
}) as Values;
const validate = new Ajv({ allErrors: true }).compile(schema);

/** Where Helm rejects the values of an operator, which it validates over the defaults. */
export function valuesErrors(values: Values): string[] {
  validate(mergeValues(defaults, values));
  return (validate.errors ?? []).map(({ instancePath }) => instancePath);
}

export function mergeValues(into: Values, from: Values): Values {
  const merged = { ...into };
  for (const [name, value] of Object.entries(from)) {
    const existing = merged[name];
    merged[name] = isValues(existing) && isValues(value) ? mergeValues(existing, value) : value;
  }
  return merged;
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
