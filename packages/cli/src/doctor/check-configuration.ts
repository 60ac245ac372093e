import { ROLES, type RoleName } from '@tollgate/configuration/roles';
import { ConfigError, type Environment } from '@tollgate/runtime/config';
import { describeUnknownVariable, findUnknownVariables } from '@tollgate/runtime/unknown-variables';
import { type Finding, ok, problem } from './finding.ts';

const REMEDY = 'Correct the variable. docs/operating/configuration.md lists all of them.';

/** Reads the configuration of a role as its process does at its start. */
export function checkConfiguration(env: Environment, role: RoleName): Finding[] {
  const { variables, read } = ROLES[role];
  const wrong = problemsOf(() => read(env));
  return [
    ...(wrong.length === 0 ? [ok('configuration', role, 'All variables are valid.')] : []),
    ...wrong.map((message) => problem('configuration', role, message, REMEDY)),
    ...findUnknownVariables(env, variables).map((unknown) =>
      problem('configuration', role, describeUnknownVariable(unknown), REMEDY),
    ),
  ];
}

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
