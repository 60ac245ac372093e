/** The label of a value. A value that only a later release knows is shown in words. */
export function labelOf<Value extends string>(labels: Partial<Record<Value, string>>, value: Value): string {
  return labels[value] ?? inWords(value);
}

/** `requests_per_second` becomes `Requests per second`, and `payment.action_required` becomes `Action required`. */
export function inWords(name: string): string {
  const words = name.slice(name.lastIndexOf('.') + 1).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The labels of values whose words say enough. */
export function labelsOf<Value extends string>(values: readonly Value[]): Record<Value, string> {
  return Object.fromEntries(values.map((value) => [value, inWords(value)])) as Record<Value, string>;
}
