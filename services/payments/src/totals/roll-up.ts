import type { PaymentStatus } from '@tollgate/contracts/payments/payment';
import { DAY_MS, MINUTE_MS } from '@tollgate/contracts/platform/durations';
import type { Environment } from '@tollgate/contracts/platform/environment';

/** The time of a payment by which it is counted. */
export type Basis = 'created' | 'succeeded';

/** Zones differ from UTC by whole quarters of an hour, so that a day in any zone consists of them. Days are those in UTC. */
export const UNIT_MS = { quarter: 15 * MINUTE_MS, day: DAY_MS } as const;
export type Unit = keyof typeof UNIT_MS;

/** What a roll-up counts: the payments of a team in one environment whose time of the basis is in one quarter of an hour, or day. */
export interface RollUpPlace {
  team_id: string;
  environment: Environment;
  basis: Basis;
  unit: Unit;
  /** Start of the quarter or day. */
  at: Date;
}

/** Payments that are equal in everything by which totals distinguish them. */
export interface TotalRow {
  application_id: string;
  currency: string;
  status: PaymentStatus;
  /** Null unless the payments failed. */
  failure_code: string | null;
  payments: number;
  /** Minor units. */
  amount: number;
}

export interface RollUp extends RollUpPlace {
  _id: string;
  /** Increments with every change of a payment that it counts. */
  version: number;
  /** Absent while the rows are those of `version`. Otherwise, when they are computed next. */
  due_at?: Date;
  /** Absent until they are computed for the first time. */
  rows?: TotalRow[];
}

export function rollUpId({ team_id, environment, basis, unit, at }: RollUpPlace): string {
  return `${team_id}/${environment}/${basis}/${unit}/${at.toISOString()}`;
}

export function startOf(unit: Unit, time: Date): Date {
  return new Date(Math.floor(time.getTime() / UNIT_MS[unit]) * UNIT_MS[unit]);
}

export function endOf({ unit, at }: Pick<RollUpPlace, 'unit' | 'at'>): Date {
  return new Date(at.getTime() + UNIT_MS[unit]);
}

/** As one text: a year has tens of thousands of rows, and documents of that many fields are slow to read. */
export function packRows(rows: readonly TotalRow[]): string {
  return JSON.stringify(
    rows.map((row) => [
      row.application_id,
      row.currency,
      row.status,
      row.failure_code,
      row.payments,
      row.amount,
    ]),
  );
}

export function unpackRows(packed: string): TotalRow[] {
  const rows = JSON.parse(packed) as [string, string, PaymentStatus, string | null, number, number][];
  return rows.map(([application_id, currency, status, failure_code, payments, amount]) => ({
    application_id,
    currency,
    status,
    failure_code,
    payments,
    amount,
  }));
}

/** Adds rows that are equal but for their numbers. */
export function sumRows(rows: readonly TotalRow[]): TotalRow[] {
  const sums = new Map<string, TotalRow>();
  for (const row of rows) {
    const key = `${row.application_id} ${row.currency} ${row.status} ${row.failure_code ?? ''}`;
    const sum = sums.get(key);
    if (!sum) {
      sums.set(key, { ...row });
      continue;
    }
    sum.payments += row.payments;
    sum.amount += row.amount;
  }
  return [...sums.values()];
}
