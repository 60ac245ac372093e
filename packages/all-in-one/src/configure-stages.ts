import type { Component, ConfiguredComponent } from '@tollgate/runtime/component';
import { ConfigError, type Environment } from '@tollgate/runtime/config';
import { readEnvironments } from './environments.ts';

/**
 * Several components for one process. Each reads a configuration of its own and has its own connections, listeners, and ops server,
 * exactly as in a process of its own.
 * @throws ConfigError that names every wrong variable once, with the components that read it
 */
export function configureStages(
  stages: readonly (readonly Component[])[],
  env: Environment,
): ConfiguredComponent[][] {
  const environments = readEnvironments(env, stages.flat());
  const readers = new Map<string, string[]>();

  function configure(component: Component): ConfiguredComponent[] {
    try {
      return [component.configure(environments.get(component.name) ?? {})];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const problem of error.problems)
        readers.set(problem, [...(readers.get(problem) ?? []), component.name]);
      return [];
    }
  }

  const configured = stages.map((stage) => stage.flatMap(configure));
  if (readers.size > 0) {
    throw new ConfigError([...readers].map(([problem, names]) => `${names.join(', ')}: ${problem}`));
  }
  return configured;
}
