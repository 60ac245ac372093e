import { outcomeOf, visitRows } from '../packing/packed-rows.ts';
import type { LevelRecord } from '../roll-up/level-store.ts';
import { type GroupMembers, isSelected, membersOf, type UsageSelection } from './usage-selection.ts';
import { emptyTally, type UsageTally } from './usage-tally.ts';

export interface Group {
  /** Sorts groups, and identifies one in a cursor. */
  name: string;
  members: GroupMembers;
  tally: UsageTally;
}

/** Adds up rows by the members that a query groups by. */
export interface GroupTallies {
  /** Tallies by name. A tally may be empty since it was last cleared. */
  groups(): Iterable<Group>;
  /** Prepares one document: returns a function that adds the selected rows of one of its points. */
  adder(record: LevelRecord): (rows: Uint8Array) => void;
}

/** Combines the key's index and the row's kind into one number, so that finding a row's group allocates no string. */
const KINDS = 256;

export function createGroupTallies(selection: UsageSelection): GroupTallies {
  const groups = new Map<string, Group>();

  function groupOf(record: LevelRecord, keyId: string, kind: number): Group | null {
    if (!isSelected(selection, keyId, kind)) return null;
    const members = membersOf(selection, record, keyId, kind);
    const name = Object.values(members).join(' ');
    const group = groups.get(name) ?? { name, members, tally: emptyTally() };
    groups.set(name, group);
    return group;
  }

  return {
    groups: () => groups.values(),
    adder(record) {
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
