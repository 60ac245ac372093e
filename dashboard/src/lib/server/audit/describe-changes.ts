import { isDeepStrictEqual } from 'node:util';
import type { AuditRecord } from '@tollgate/contracts/audit/audit';
import type { ChangeRow, ChangeValue } from '#lib/audit/change-row.ts';
import { formatAmount } from '#lib/format/amount.ts';
import { labelOf } from '#lib/format/label-of.ts';
import { formatCount } from '#lib/format/number.ts';

/** Labels of fields whose name does not match the dashboard's wording. */
const FIELD_LABELS: Record<string, string> = {
  allowed_cidrs: 'Allowed networks',
  application_id: 'Application',
  url: 'URL',
  totp: 'Two-factor authentication',
};
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const ID = /^[a-z]{3,4}_[0-7][0-9a-z]{25}$/;

/**
 * Describes the changes of a record by field: added and removed items of lists, and each member of an object that
 * differs.
 */
export function describeChanges(changes: AuditRecord['changes']): ChangeRow[] {
  return Object.entries(withLabelList(withAmount(changes))).flatMap(([field, { before, after }]) =>
    describe([fieldLabel(field)], before, after),
  );
}

/** An amount in minor units means nothing without its currency, so both become one field. */
function withAmount(changes: AuditRecord['changes']): AuditRecord['changes'] {
  const { amount, currency, ...others } = changes;
  if (typeof amount?.after !== 'number' || typeof currency?.after !== 'string') return changes;
  const text = `${formatAmount(amount.after, currency.after)} ${currency.after}`;
  return { amount: { before: amount.before, after: text }, ...others };
}

/** Labels become a list, because their keys are no field names. */
function withLabelList(changes: AuditRecord['changes']): AuditRecord['changes'] {
  const { labels, ...others } = changes;
  if (!labels) return changes;
  return { labels: { before: labelList(labels.before), after: labelList(labels.after) }, ...others };
}

function labelList(labels: unknown): unknown {
  if (typeof labels !== 'object' || labels === null) return labels;
  return Object.entries(labels).map(([key, value]) => `${key}:${value}`);
}

function describe(field: string[], before: unknown, after: unknown): ChangeRow[] {
  const values = [before, after].filter((value) => value !== null && value !== undefined);
  // An empty list that is added or removed counts as a value: it has no items to add or remove.
  if (values.every(Array.isArray) && values.some((list) => list.length > 0))
    return [describeList(field, (before ?? []) as unknown[], (after ?? []) as unknown[])];
  if (values.length > 0 && values.every(isFields))
    return describeObject(field, (before ?? {}) as Fields, (after ?? {}) as Fields);
  return [{ kind: 'value', field, before: describeValue(before), after: describeValue(after) }];
}

type Fields = Record<string, unknown>;

function isFields(value: unknown): value is Fields {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
  );
}

function describeList(field: string[], before: unknown[], after: unknown[]): ChangeRow {
  const from = before.map(formatValue);
  const to = after.map(formatValue);
  return {
    kind: 'list',
    field,
    added: to.filter((item) => !from.includes(item)),
    removed: from.filter((item) => !to.includes(item)),
    kept: to.filter((item) => from.includes(item)).length,
  };
}

function describeObject(field: string[], before: Fields, after: Fields): ChangeRow[] {
  return Object.keys({ ...before, ...after })
    .filter((name) => !isDeepStrictEqual(before[name] ?? null, after[name] ?? null))
    .flatMap((name) => describe([...field, fieldLabel(name)], before[name], after[name]));
}

function describeValue(value: unknown): ChangeValue {
  if (value === null || value === undefined) return { kind: 'unset' };
  if (typeof value === 'string' && TIME.test(value)) return { kind: 'time', at: value };
  if (typeof value === 'string' && ID.test(value)) return { kind: 'id', id: value };
  return { kind: 'text', text: formatValue(value) };
}

function formatValue(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'Empty' : value;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return formatCount(value);
  if (Array.isArray(value) && value.length === 0) return 'None';
  return JSON.stringify(value);
}

/** `requests_per_second` becomes `Requests per second`. */
function fieldLabel(name: string): string {
  return labelOf(FIELD_LABELS, name);
}
