/** The part of JSON Schema that decides about the fields of a value. */
export interface JsonSchema {
  type?: string;
  enum?: readonly unknown[];
  default?: unknown;
  anyOf?: readonly JsonSchema[];
  items?: JsonSchema | readonly JsonSchema[];
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  required?: readonly string[];
  additionalProperties?: unknown;
  if?: unknown;
  then?: unknown;
  else?: unknown;
}

/** The schema of a nullable value without its null. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  return schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
}

/** The schema of the elements of an array; undefined for a tuple. */
export function elementSchema({ items }: JsonSchema): JsonSchema | undefined {
  return Array.isArray(items) ? undefined : (items as JsonSchema | undefined);
}
