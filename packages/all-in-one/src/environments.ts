import type { Component } from '@tollgate/runtime/component';
import { ConfigError, type Environment } from '@tollgate/runtime/config';

/** JSON: an object with the variables of each component, by its name. They are added to those of the process. */
const VARIABLE = 'COMPONENT_ENVIRONMENTS';

/**
 * The environment of each component, so that each gets only the secrets that it reads, and two may use the same variable.
 * @throws ConfigError without the values, which contain secrets
 */
export function readEnvironments(
  { [VARIABLE]: text = '', ...shared }: Environment,
  components: readonly Pick<Component, 'name'>[],
): Map<string, Environment> {
  const own = parse(text);
  const missing = components.filter(({ name }) => !isVariables(own[name])).map(({ name }) => name);
  if (missing.length > 0) {
    throw new ConfigError([`${VARIABLE} must have an object of variables for ${missing.join(', ')}.`]);
  }
  return new Map(components.map(({ name }) => [name, { ...shared, ...(own[name] as Environment) }]));
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    throw new ConfigError([`${VARIABLE} must be JSON: an object with the variables of each component.`]);
  }
}

function isVariables(value: unknown): value is Environment {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((text) => typeof text === 'string')
  );
}
