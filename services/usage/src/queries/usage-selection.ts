import type { Environment } from '@tollgate/contracts/platform/environment';
import {
  USAGE_GROUPS,
  USAGE_OPERATIONS,
  USAGE_OUTCOMES,
  type UsageGroup,
  type UsageOperation,
  type UsageOutcome,
  type UsageTotal,
} from '@tollgate/contracts/usage/usage';
import { operationOf, outcomeOf } from '../packing/packed-rows.ts';
import type { LevelFilter, LevelRecord } from '../roll-up/level-store.ts';

/** The rows that a query selects, and the members that it groups by. */
export interface UsageSelection {
  documents: LevelFilter;
  keyId: string | undefined;
  operation: UsageOperation | undefined;
  outcome: UsageOutcome | undefined;
  groupBy: readonly UsageGroup[];
}

/** The members that identify a group. */
export type GroupMembers = Pick<
  UsageTotal,
  'application_id' | 'key_id' | 'environment' | 'operation' | 'outcome'
>;

interface SelectionRequest {
  application_id?: string;
  key_id?: string;
  environment?: Environment;
  operation?: UsageOperation;
  outcome?: UsageOutcome;
  group_by?: string;
}

export function parseSelection(teamId: string, request: SelectionRequest): UsageSelection {
  const named = new Set(request.group_by?.split(','));
  return {
    documents: { teamId, applicationId: request.application_id, environment: request.environment },
    keyId: request.key_id,
    operation: request.operation,
    outcome: request.outcome,
    groupBy: USAGE_GROUPS.filter((group) => named.has(group)),
  };
}

export function isSelected(selection: UsageSelection, keyId: string, kind: number): boolean {
  const { operation, outcome } = selection;
  return (
    (selection.keyId === undefined || selection.keyId === keyId) &&
    (operation === undefined || USAGE_OPERATIONS[operationOf(kind)] === operation) &&
    (outcome === undefined || USAGE_OUTCOMES[outcomeOf(kind)] === outcome)
  );
}

export function membersOf(
  { groupBy }: UsageSelection,
  { applicationId, environment }: Pick<LevelRecord, 'applicationId' | 'environment'>,
  keyId: string,
  kind: number,
): GroupMembers {
  const all = {
    application: { application_id: applicationId },
    key: { key_id: keyId },
    environment: { environment },
    operation: { operation: USAGE_OPERATIONS[operationOf(kind)] as UsageOperation },
    outcome: { outcome: USAGE_OUTCOMES[outcomeOf(kind)] as UsageOutcome },
  };
  return Object.assign({}, ...groupBy.map((group) => all[group]));
}
