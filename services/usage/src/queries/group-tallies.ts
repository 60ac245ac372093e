import type { queryUsage } from '@tollgate/contracts/usage/rpc';
import {
  USAGE_GROUPS,
  USAGE_OPERATIONS,
  USAGE_OUTCOMES,
  type UsageTotal,
} from '@tollgate/contracts/usage/usage';
import type { Static } from 'typebox';
import { operationOf, outcomeOf, visitRows } from '../packing/packed-rows.ts';
import type { LevelFilter, LevelRecord } from '../roll-up/level-store.ts';
import { emptyTally, type UsageTally } from './usage-tally.ts';

type Query = Pick<
  Static<typeof queryUsage.request>,
  'application_id' | 'environment' | 'key_id' | 'operation' | 'outcome' | 'group_by'
>;

export interface Group {
  /** Sorts groups, and identifies one in a cursor. */
  name: string;
  /** The members that identify the group. */
  members: Pick<UsageTotal, 'application_id' | 'key_id' | 'environment' | 'operation' | 'outcome'>;
  tally: UsageTally;
}

export type GroupTallies = ReturnType<typeof createGroupTallies>;

/** Combines the key's index and the row's kind into one number, so that finding a row's group allocates no string. */
const KINDS = 256;

/** The documents that may have rows that the query selects. */
export function documentsOf(team_id: string, { application_id, environment }: Query): LevelFilter {
  return { team_id, ...(application_id && { application_id }), ...(environment && { environment }) };
}

/** Adds up the rows that a query selects by the members that it groups by. */
export function createGroupTallies({ key_id, operation, outcome, group_by }: Query) {
  const groups = new Map<string, Group>();
  const named = new Set(group_by?.split(','));
  const groupBy = USAGE_GROUPS.filter((group) => named.has(group));

  /** Null if the query does not select the rows. */
  function groupOf(record: LevelRecord, keyId: string, kind: number): Group | null {
    const { application_id, environment } = record;
    const of = { operation: USAGE_OPERATIONS[operationOf(kind)], outcome: USAGE_OUTCOMES[outcomeOf(kind)] };
    if ((key_id ?? keyId) !== keyId) return null;
    if ((operation ?? of.operation) !== of.operation || (outcome ?? of.outcome) !== of.outcome) return null;
    const all = {
      application: { application_id },
      key: { key_id: keyId },
      environment: { environment },
      operation: { operation: of.operation },
      outcome: { outcome: of.outcome },
    };
    const members: Group['members'] = Object.assign({}, ...groupBy.map((group) => all[group]));
    const name = Object.values(members).join(' ');
    const group = groups.get(name) ?? { name, members, tally: emptyTally() };
    groups.set(name, group);
    return group;
  }

  return {
    /** Tallies by name. A tally may be empty since it was last cleared. */
    groups: () => groups.values(),

    /** Prepares one document: returns a function that adds the selected rows of one of its points. */
    adder(record: LevelRecord): (rows: Uint8Array) => void {
      const known: (Group | null)[] = [];
      return (rows) =>
        visitRows(rows, (key, kind, requests) => {
          const index = key * KINDS + kind;
          let group = known[index];
          if (group === undefined) {
            group = groupOf(record, record.keys[key] as string, kind);
            known[index] = group;
          }
          if (!group) return null;
          const { outcomes, latency } = group.tally;
          const outcome = outcomeOf(kind);
          outcomes[outcome] = (outcomes[outcome] as number) + requests;
          return latency;
        });
    },
  };
}
