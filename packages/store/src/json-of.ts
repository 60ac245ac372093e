/** A stored value in JSON: times are RFC 3339 text. */
export type JsonOf<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? JsonOf<Item>[]
    : Value extends object
      ? { [Name in keyof Value]: JsonOf<Value[Name]> }
      : Value;

/** Copies a record, or a part of one, with its times as text. For replies and audit entries. */
export function jsonOf<Value>(value: Value): JsonOf<Value> {
  return converted(value) as JsonOf<Value>;
}

function converted(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(converted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, nested]) => [name, converted(nested)]));
}
