import { AuditHead } from '@tollgate/contracts/audit/audit-log';
import { Compile } from 'typebox/compile';
import { headHash } from '../head.ts';

const Head = Compile(AuditHead);

export interface WitnessedHead {
  number: number;
  hash: string;
  size: number;
  at: string;
}

/** The heads of one team that were seen outside the database, by number. A number has several if they differ. */
export type Witness = Map<number, WitnessedHead[]>;

/**
 * Reads the heads of a team from lines of JSON: either a head itself, as a URL receives it, or an object with a `head`,
 * as in the service's log. All other lines are skipped.
 */
export async function readWitness(lines: AsyncIterable<string>, teamId: string): Promise<Witness> {
  const witness: Witness = new Map();
  for await (const line of lines) {
    const head = headOf(line);
    if (head === null || head.team_id !== teamId) continue;
    const seen = witness.get(head.number) ?? [];
    const hash = headHash(head);
    if (seen.some((other) => other.hash === hash)) continue;
    witness.set(head.number, [...seen, { number: head.number, hash, size: head.size, at: head.at }]);
  }
  return witness;
}

function headOf(line: string): AuditHead | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (Head.Check(value)) return value;
  const inner = typeof value === 'object' && value !== null && 'head' in value ? value.head : null;
  return Head.Check(inner) ? inner : null;
}
