import { type Options, optionLabel } from '#lib/components/option.ts';
import type { Chip, ShownField } from '#lib/list/list-data.ts';
import type { Filter } from './filter.ts';
import { listPath, type ReadFilters } from './read-filters.ts';

/** The fields and the active filters of a form, ready to render. `options` were read from a service, by field name. */
export function showFilters(
  filters: readonly Filter<object>[],
  { values, errors }: Pick<ReadFilters<object>, 'values' | 'errors'>,
  { path, options }: { path: string; options: Record<string, Options> },
) {
  const fields = filters
    .flatMap((filter) => filter.fields)
    .map((field): ShownField => {
      const value = values.get(field.name) ?? '';
      const shown = { ...field, value, error: errors[field.name] };
      if (field.control !== 'select') return shown;
      return { ...shown, options: withChosen(options[field.name] ?? field.options ?? [], value) };
    });
  const chips = filters
    .flatMap((filter) => filter.chips)
    .filter(({ names: [name] }) => values.has(name))
    .map(({ label, names, say }): Chip => {
      const field = fields.find(({ name }) => name === names[0]);
      const value = field?.value ?? '';
      return {
        label,
        value: say ? say(values) : (optionLabel(field?.options ?? [], value) ?? value),
        hrefWithout: listPath(path, values, names),
      };
    });
  return { fields, chips };
}

/** A value that is not offered, such as a deleted record or a status of a link, stays selected. */
function withChosen(options: Options, value: string): Options {
  return value === '' || optionLabel(options, value) !== undefined
    ? options
    : [...options, { value, label: value }];
}
