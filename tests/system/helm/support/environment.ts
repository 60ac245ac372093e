import type { IEnvVar } from 'kubernetes-models/v1';
import type { Pods } from './objects.ts';

export interface Cluster {
  secrets: Record<string, string>;
  podIp: string;
}

/** The environment of a container, as Kubernetes composes it: `$(NAME)` is replaced by variables that come before. */
export function environmentOf({ container }: Pods, cluster: Cluster): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const variable of container.env ?? []) {
    const value = resolveValue(variable, cluster);
    if (value === undefined) continue;
    environment[variable.name] = value.replaceAll(
      /\$\((\w+)\)/g,
      (reference, name: string) => environment[name] ?? reference,
    );
  }
  return environment;
}

/** @throws if the container could not start: Kubernetes waits for a missing key unless it is optional. */
function resolveValue({ name, value, valueFrom }: IEnvVar, { secrets, podIp }: Cluster): string | undefined {
  if (valueFrom?.fieldRef?.fieldPath === 'status.podIP') return podIp;
  const reference = valueFrom?.secretKeyRef;
  if (reference === undefined) return value ?? '';
  const secret = secrets[reference.key];
  if (secret === undefined && !reference.optional) {
    throw new Error(`${name} has the key ${reference.key}, which print-env.ts does not print.`);
  }
  return secret;
}
