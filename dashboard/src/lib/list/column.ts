import type { Snippet } from 'svelte';

/** One column of a table of records. */
export interface Column<Row> {
  label: string;
  /** Null is shown as a dash. */
  text?: (row: Row) => string | null;
  /** In place of `text`: RFC 3339. Null is shown as "Never". */
  time?: (row: Row) => string | null;
  /** How `Time.svelte` shows it: `ago` by default. */
  as?: 'time' | 'ago' | 'second' | 'date' | 'log';
  /** In place of `text`, for what is more than text. */
  cell?: Snippet<[Row]>;
  /** Below the text, and not part of the link. */
  note?: Snippet<[Row]>;
  /** Leads to the record. Each table has one such column. */
  isLink?: boolean;
  /** Figures and times are aligned to the right. */
  isFigure?: boolean;
  isMuted?: boolean;
  /** Monospace, for ids. */
  isMono?: boolean;
  /**
   * `fit` is as narrow as possible. `line` does not wrap, except on a phone, where it takes the space that is left.
   * `fill` takes it everywhere, and `cut` is limited: both cut longer text, which `title` shows. `rest` and `wrap` are
   * the same with text that wraps.
   */
  width?: 'fit' | 'line' | 'fill' | 'rest' | 'cut' | 'wrap';
  title?: (row: Row) => string | null | undefined;
  /** Narrower windows omit the column. */
  from?: 'sm' | 'md' | 'lg' | 'xl' | '2xl';
  /** Sorts the list by this column, or reverses it. */
  sort?: { href: string; order: 'ascending' | 'descending' };
}

/** Check boxes that select rows for the form of a `SelectionBar`. */
export interface Selection<Row> {
  /** Field of the form: `payment`. */
  name: string;
  /** Accessible name of the check box of all rows: `Select all payments on this page`. */
  all: string;
  /** Accessible name of the check box of a row. */
  one: (row: Row) => string;
}
