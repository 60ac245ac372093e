import { FORMAT_SENTENCES, LIMIT_SENTENCES, ofType, oneOf } from './field-errors.ts';
import { elementSchema, type JsonSchema, withoutNull } from './json-schema.ts';
import { sentenceOfPattern } from './schema.ts';

/**
 * What the value of a field must be, as one sentence for each rule of its schema: the sentences with which the API rejects it.
 * Empty if the schema does not know the field.
 */
export function rulesOf(schema: object, pointer: string): string[] {
  const field = fieldAt(schema, pointer.split('/').slice(1));
  if (!field) return [];
  const { type, enum: values, pattern, format } = field;
  const rules = [
    values && oneOf(values),
    // Fewer sentences say the same: a text with another rule is a text.
    type !== undefined && type !== 'string' && ofType(type),
    pattern !== undefined && sentenceOfPattern(pattern),
    format !== undefined && FORMAT_SENTENCES[format],
    ...Object.entries(LIMIT_SENTENCES).map(([keyword, sentence]) => {
      const limit = (field as Record<string, unknown>)[keyword];
      return typeof limit === 'number' && sentence(limit);
    }),
  ];
  return rules.filter((rule) => typeof rule === 'string');
}

interface RuledSchema extends JsonSchema {
  pattern?: string;
  format?: string;
}

function fieldAt(schema: JsonSchema, [name, ...inner]: string[]): RuledSchema | undefined {
  const known = withoutNull(schema);
  if (name === undefined) return known;
  const field =
    known.properties?.[name] ?? Object.values(known.patternProperties ?? {})[0] ?? elementSchema(known);
  return field && fieldAt(field, inner);
}
