import type { Option } from '#lib/components/option.ts';
import type { Field } from '#lib/list/list-data.ts';
import { type Filter, textFilter } from './filter.ts';

/** A choice between fixed values, by their labels. */
export function choiceFilter<Value extends string, Request extends object>(
  field: Omit<Field, 'control' | 'options'> & { control?: Field['control']; labels: Record<Value, string> },
  problem: string,
  read: (value: Value) => Request,
): Filter<Partial<Request>> {
  const { labels, ...rest } = field;
  const isKnown = (text: string): text is Value => Object.hasOwn(labels, text);
  return textFilter(
    { any: 'Any', control: 'select', options: optionsOf(labels), ...rest },
    problem,
    (text) => (isKnown(text) ? read(text) : null),
  );
}

export function optionsOf(labels: Record<string, string>): Option[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}
