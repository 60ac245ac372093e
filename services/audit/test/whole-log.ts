import { expect } from 'vitest';
import type { RecordDocument } from '../src/records/record-document.ts';
import type { Service } from './harness.ts';

export function listRecords({ app }: Service, teamId: string): Promise<RecordDocument[]> {
  return app.context.records.listBySeq(teamId, { from: 0, upTo: 1e9, limit: 1e6 });
}

/** The sequence is 1, 2, 3 …, contains each entry once, and `recorded_at` never goes back. */
export async function expectWholeLog(service: Service, teamId: string, ids: string[]): Promise<void> {
  const records = await listRecords(service, teamId);
  expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => index + 1));
  expect(records.map(({ _id }) => _id).sort()).toEqual([...ids].sort());
  const times = records.map(({ recorded_at }) => recorded_at);
  expect(times).toEqual([...times].sort());
}
