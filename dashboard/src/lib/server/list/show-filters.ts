import { type Options, optionLabel } from '#lib/components/option.ts';
import type { Chip, ShownField } from '#lib/list/list-data.ts';
import type { Filter, Values } from './filter.ts';
import { listPath, type ReadFilters } from './read-filters.ts';

type Read = Pick<ReadFilters<object>, 'values' | 'errors'>;

/** The fields and the active filters of a form, ready to render. `options` were read from a service, by field name. */
export function showFilters(
  filters: readonly Filter<object>[],
  read: Read,
  { path, options }: { path: string; options: Record<string, Options> },
): { fields: ShownField[]; chips: Chip[] } {
  const fields = shownFields(filters, read, options);
  return { fields, chips: shownChips(filters, fields, read.values, path) };
}

function shownFields(
  filters: readonly Filter<object>[],
  { values, errors }: Read,
  loaded: Record<string, Options>,
): ShownField[] {
  return filters
    .flatMap(({ fields }) => fields)
    .map((field) => {
      const value = values.get(field.name) ?? '';
      const options = loaded[field.name] ?? field.options;
      const shown = { ...field, value, error: errors[field.name] };
      return field.control === 'select' ? { ...shown, options: withChosen(options ?? [], value) } : shown;
    });
}

/** A value that is not offered, such as a deleted record or a status of a link, stays selected. */
function withChosen(options: Options, value: string): Options {
  return value === '' || optionLabel(options, value) !== undefined
    ? options
    : [...options, { value, label: value }];
}

function shownChips(
  filters: readonly Filter<object>[],
  fields: readonly ShownField[],
  values: Values,
  path: string,
): Chip[] {
  return filters
    .flatMap(({ chips }) => chips)
    .filter(({ names: [name] }) => values.has(name))
    .map(({ label, names, say }) => {
      const field = fields.find(({ name }) => name === names[0]);
      const value = field?.value ?? '';
      return {
        label,
        value: say ? say(values) : (optionLabel(field?.options ?? [], value) ?? value),
        hrefWithout: listPath(path, values, names),
      };
    });
}
