import { newId } from '@tollgate/contracts/platform/ids';
import { expect, it } from 'vitest';
import type { Comparison } from './compare-days.ts';
import { leaveOutResetDays } from './leave-out-reset-days.ts';

const [reset, other] = [newId('team'), newId('team')];

function row(teamId: string, environment: 'live' | 'sandbox', day: string): Comparison {
  const numbers = { payments: 0, usage: 1, explained: 0, difference: -1 };
  const application_id = newId('application');
  return { day, team_id: teamId, application_id, environment, operation: 'create_payment', ...numbers };
}

it('the reconciliation leaves out the sandbox days of a team up to its reset, and neither live nor other teams', async () => {
  const leftOut = [row(reset, 'sandbox', '2026-11-19'), row(reset, 'sandbox', '2026-11-20')];
  const kept = [
    row(reset, 'sandbox', '2026-11-21'),
    row(reset, 'live', '2026-11-20'),
    row(other, 'sandbox', '2026-11-20'),
  ];
  const lastResets = async () => [{ team_id: reset, requested_at: '2026-11-20T12:00:00.000Z' }];
  expect(await leaveOutResetDays(lastResets, [...leftOut, ...kept])).toEqual({ days: kept, leftOut: 2 });
});

it('the reconciliation asks for many teams in parts', async () => {
  const days = Array.from({ length: 250 }, () => row(newId('team'), 'sandbox', '2026-11-20'));
  const asked: number[] = [];
  const result = await leaveOutResetDays(async (teamIds) => {
    asked.push(teamIds.length);
    return [];
  }, days);
  expect(asked).toEqual([100, 100, 50]);
  expect(result).toEqual({ days, leftOut: 0 });
});
