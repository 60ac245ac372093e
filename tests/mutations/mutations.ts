import type { SourceChange } from '../platform/changed-sources/source-change.ts';
import type { CheckName } from '../programme/oracle/judge.ts';

/** A guard of the platform, removed: a programme must notice. */
export interface Mutation {
  guard: string;
  /** The changes that remove it. */
  changes: readonly SourceChange[];
  /** The name of the programme's file. */
  programme: string;
  /** What the oracle must find. */
  finds: CheckName;
}

export const MUTATION_VARIABLE = 'FAULTS_MUTATION';

export const MUTATIONS: readonly Mutation[] = [];

/** The changes of the mutation that the environment names; none in a normal run. */
export function mutationUnderTest(): readonly SourceChange[] {
  const guard = process.env[MUTATION_VARIABLE];
  if (guard === undefined) return [];
  const mutation = MUTATIONS.find((each) => each.guard === guard);
  if (mutation === undefined) throw new Error(`No mutation removes the guard "${guard}".`);
  return mutation.changes;
}
