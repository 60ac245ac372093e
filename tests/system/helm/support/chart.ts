import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { describe, inject } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from './objects.ts';

export const CHART_DIR = join(CHECKOUT_DIR, 'deploy/helm/tollgate');
export const describeWithHelm = describe.skipIf(inject('helm') === null);

/** The values that `values.yaml` describes as required. */
const REQUIRED = {
  image: { repository: 'registry.example.com/tollgate' },
  urls: {
    live: 'https://api.example.com',
    sandbox: 'https://sandbox.api.example.com',
    admin: 'https://admin.example.com',
    dashboard: 'https://pay.example.com',
  },
};
const AUTOSCALING = { enabled: true, minReplicas: 3, maxReplicas: 9, cpuPercent: 60 };
export const ROLES = [
  'accounts',
  'applications',
  'payments',
  'webhooks',
  'usage',
  'audit',
  'gateway',
  'dashboard',
] as const;

/** What operators set, from least to most. */
export const VARIANTS = {
  'what is required': REQUIRED,
  'one instance of everything': {
    ...REQUIRED,
    nats: { scheme: 'nats', hosts: ['nats'], port: 4222, replicas: 1 },
    mongodb: { scheme: 'mongodb+srv', hosts: ['db.example.com'], options: 'tls=true', createUsers: false },
    roles: Object.fromEntries(ROLES.map((role) => [role, { replicas: 1 }])),
    networkPolicy: { enabled: false },
    drainSeconds: 0,
  },
  everything: {
    ...REQUIRED,
    image: { ...REQUIRED.image, digest: `sha256:${'a'.repeat(64)}`, pullSecrets: ['registry'] },
    urls: { ...REQUIRED.urls, docs: 'https://docs.example.com' },
    caCertificates: { existingConfigMap: 'company-ca' },
    env: { LOG_LEVEL: 'warn' },
    ipFamily: 'IPv6',
    nats: { scheme: 'tls', hosts: ['nats-0.nats', 'nats-1.nats', 'nats-2.nats'], port: 4443, replicas: 3 },
    roles: {
      ...Object.fromEntries(ROLES.map((role) => [role, { autoscaling: AUTOSCALING }])),
      payments: {
        autoscaling: AUTOSCALING,
        existingSecret: 'tollgate-payments',
        env: { STUCK_AFTER: '2h' },
        secretEnv: { ACME_SECRETS: 'ACME_SECRETS' },
      },
    },
    usageSpool: { size: '5Gi', storageClassName: 'fast' },
    processors: { existingConfigMap: 'processors' },
    chat: { allowPrivateNetworks: true, networks: ['10.8.0.0/16'] },
    webhooks: { allowPrivateNetworks: true, liveNetworks: ['10.8.0.0/16'] },
    audit: { witnessUrl: 'https://witness.example.com/heads' },
    leakSearch: { url: 'https://passwords.example.com/range' },
    trustedProxies: { gateway: ['10.1.0.0/16'], admin: ['10.2.0.0/16'], dashboard: ['10.1.0.0/16'] },
    service: { type: 'LoadBalancer', annotations: { 'example.com/internal': 'true' } },
    ingress: {
      enabled: true,
      className: 'nginx',
      annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
      tlsSecret: 'tollgate-tls',
      expose: ['live', 'sandbox', 'admin', 'dashboard'],
    },
    httpRoute: { enabled: true, parentRefs: [{ name: 'public', namespace: 'gateways' }] },
    networkPolicy: {
      publicPeers: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
      extraEgress: [
        { to: [{ namespaceSelector: { matchLabels: { name: 'tracing' } } }], ports: [{ port: 4318 }] },
      ],
    },
    serviceMonitor: { enabled: true, labels: { release: 'prometheus' }, interval: '15s' },
    podAnnotations: { 'example.com/team': 'payments' },
    nodeSelector: { 'kubernetes.io/arch': 'amd64' },
    tolerations: [{ key: 'dedicated', operator: 'Exists' }],
    priorityClassName: 'high',
  },
} as const;

const run = promisify(execFile);

/** Runs `helm template`, with the values in a file as an operator has them. */
export async function renderChart(values: object): Promise<KubernetesObject[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-chart-'));
  try {
    const file = join(folder, 'values.json');
    await writeFile(file, JSON.stringify(values));
    const place = ['tollgate', CHART_DIR, '--namespace', 'tollgate', '--kube-version', 'v1.32.0'];
    const { stdout } = await run(inject('helm') ?? 'helm', ['template', ...place, '--values', file]);
    return parseAllDocuments(stdout)
      .map((document) => document.toJS() as KubernetesObject | null)
      .filter((object) => object !== null);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
