import type { Environment } from '@tollgate/contracts/platform/environment';

/** Operations that change a payment. */
export const CHANGING_OPERATIONS = ['create_payment', 'cancel_payment'] as const;
export type ChangingOperation = (typeof CHANGING_OPERATIONS)[number];

/** The unit of comparison: changes of one kind by one application on one day. */
export interface DayKey {
  /** UTC, `2026-11-21`. */
  day: string;
  /** The team of the application. */
  team_id: string;
  application_id: string;
  environment: Environment;
  operation: ChangingOperation;
}

export type DayCounts = ReturnType<typeof createDayCounts>;

/** Numbers by day, application, environment and operation. */
export function createDayCounts() {
  const counts = new Map<string, { key: DayKey; count: number }>();
  return {
    add(key: DayKey, count: number): void {
      const name = nameOf(key);
      const entry = counts.get(name) ?? { key, count: 0 };
      entry.count += count;
      counts.set(name, entry);
    },
    get: (key: DayKey) => counts.get(nameOf(key))?.count ?? 0,
    keys: () => [...counts.values()].map(({ key }) => key),
  };
}

export function nameOf({ day, application_id, environment, operation }: DayKey): string {
  return `${day} ${application_id} ${environment} ${operation}`;
}

export function dayOf(time: string | Date): string {
  return new Date(time).toISOString().slice(0, '2026-11-21'.length);
}
