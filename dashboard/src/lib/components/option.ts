/** A choice of a selection. */
export interface Option {
  value: string;
  label: string;
}

/** Options under a heading. */
export interface OptionGroup {
  label: string;
  options: Option[];
}

export type Options = readonly (Option | OptionGroup)[];

/** The label of the option with a value, also of one under a heading. */
export function optionLabel(options: Options, value: string): string | undefined {
  const all = options.flatMap((option) => ('options' in option ? option.options : option));
  return all.find((option) => option.value === value)?.label;
}
