import type { IContainer, IPodSpec } from 'kubernetes-models/v1';

/** An object as Kubernetes gets it, before it is known to be valid. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: Record<string, unknown>;
}

/** The pods of a workload. */
export interface Pods {
  name: string;
  /** The role that they run, or the task. */
  component: string;
  labels: Record<string, string>;
  spec: IPodSpec;
  container: IContainer;
}

const WORKLOADS = new Set(['Deployment', 'StatefulSet', 'Job']);

export function podsIn(objects: readonly KubernetesObject[]): Pods[] {
  return objects
    .filter(({ kind }) => WORKLOADS.has(kind))
    .map(({ metadata: { name }, spec }) => {
      const template = spec?.['template'] as { metadata: { labels: Record<string, string> }; spec: IPodSpec };
      const { labels } = template.metadata;
      const [container, ...more] = template.spec.containers;
      if (container === undefined || more.length > 0) throw new Error(`${name} must have one container.`);
      const component = labels['app.kubernetes.io/component'] ?? '';
      return { name, component, labels, spec: template.spec, container };
    });
}

/** The pods of a role, or of a task. */
export function podOf(objects: readonly KubernetesObject[], component: string): Pods {
  const found = podsIn(objects).find((pods) => pods.component === component);
  if (found === undefined) throw new Error(`No workload has the component ${component}.`);
  return found;
}

export function ofKind<Spec>(
  objects: readonly KubernetesObject[],
  kind: string,
): { name: string; metadata: KubernetesObject['metadata']; spec: Spec }[] {
  return objects
    .filter((object) => object.kind === kind)
    .map(({ metadata, spec }) => ({ name: metadata.name, metadata, spec: spec as Spec }));
}

export function selects(
  selector: { matchLabels?: Record<string, string> } | undefined,
  labels: Record<string, string> = {},
): boolean {
  return Object.entries(selector?.matchLabels ?? {}).every(([name, value]) => labels[name] === value);
}
