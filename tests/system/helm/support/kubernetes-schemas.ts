import { join } from 'node:path';
import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service, ServiceAccount } from 'kubernetes-models/v1';
import ts from 'typescript';
import type { KubernetesObject } from './objects.ts';

type Model = new (data: never) => { validate(): void };

/** By API version and kind, the schema and the module of its type. */
const SCHEMAS: Record<string, [schema: Model, module: string]> = {
  'apps/v1 Deployment': [Deployment, 'kubernetes-models/apps/v1'],
  'apps/v1 StatefulSet': [StatefulSet, 'kubernetes-models/apps/v1'],
  'autoscaling/v2 HorizontalPodAutoscaler': [HorizontalPodAutoscaler, 'kubernetes-models/autoscaling/v2'],
  'batch/v1 Job': [Job, 'kubernetes-models/batch/v1'],
  'gateway.networking.k8s.io/v1 HTTPRoute': [
    HTTPRoute,
    '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute',
  ],
  'monitoring.coreos.com/v1 ServiceMonitor': [
    ServiceMonitor,
    '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor',
  ],
  'networking.k8s.io/v1 Ingress': [Ingress, 'kubernetes-models/networking.k8s.io/v1'],
  'networking.k8s.io/v1 NetworkPolicy': [NetworkPolicy, 'kubernetes-models/networking.k8s.io/v1'],
  'policy/v1 PodDisruptionBudget': [PodDisruptionBudget, 'kubernetes-models/policy/v1'],
  'v1 ConfigMap': [ConfigMap, 'kubernetes-models/v1'],
  'v1 Service': [Service, 'kubernetes-models/v1'],
  'v1 ServiceAccount': [ServiceAccount, 'kubernetes-models/v1'],
};

function schemaOf({ apiVersion, kind }: KubernetesObject): [schema: Model, module: string] {
  const found = SCHEMAS[`${apiVersion} ${kind}`];
  if (found === undefined) throw new Error(`Add the schema of ${apiVersion} ${kind}.`);
  return found;
}

/** What the schemas of Kubernetes reject. They accept fields that they do not know: see `typeErrors`. */
export function schemaErrors(objects: readonly KubernetesObject[]): string[] {
  return objects.flatMap((object) => {
    const [Schema] = schemaOf(object);
    try {
      new Schema(object as never).validate();
      return [];
    } catch (error) {
      return [`${object.kind} ${object.metadata.name}: ${(error as Error).message}`];
    }
  });
}

/** What the types of Kubernetes reject, unknown fields above all: an API server drops them with a warning. */
export function typeErrors(objects: readonly KubernetesObject[]): string[] {
  const file = join(import.meta.dirname, 'rendered-objects.ts');
  const source = objects
    .map((object) => {
      const [, module] = schemaOf(object);
      return `(${JSON.stringify(object)}) satisfies import('${module}').I${object.kind};`;
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...more) =>
    name === file ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2024) : getSourceFile(name, ...more);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const { line } = ts.getLineAndCharacterOfPosition(
      diagnostic.file ?? ts.createSourceFile(file, source, ts.ScriptTarget.ES2024),
      diagnostic.start ?? 0,
    );
    const { kind = '', metadata = { name: '' } } = objects[line] ?? {};
    return `${kind} ${metadata.name}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`;
  });
}
