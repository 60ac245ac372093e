import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CONTAINER_PROCESSES } from '@tollgate/launcher/containers/container-processes';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import type { INetworkPolicySpec } from 'kubernetes-models/networking.k8s.io/v1';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { CHART_DIR, describeWithHelm, renderChart, VARIANTS } from './support/chart.ts';
import { environmentOf } from './support/environment.ts';
import { ofKind, podOf } from './support/objects.ts';

const USERS_FILE = 'nats-users.conf';

interface NatsValues {
  config: {
    cluster: { replicas: number };
    jetstream: { enabled: boolean; fileStore: { pvc: { size: string } }; merge: Record<string, unknown> };
    merge: Record<string, unknown>;
  };
  container: {
    env: Record<string, { valueFrom: { secretKeyRef: { name: string; key: string } } }>;
    patch: { path: string; value: { name: string; mountPath: string } }[];
  };
  podTemplate: { patch: { path: string; value: { name: string; configMap: { name: string } } }[] };
}

interface MongoDB {
  metadata: { name: string };
  spec: {
    members: number;
    security: { authentication: { ignoreUnknownUsers: boolean } };
    users: { name: string; db: string; passwordSecretRef: { name: string; key: string } }[];
  };
}

async function readDeploy<T>(file: string): Promise<T> {
  return parse(await readFile(join(CHECKOUT_DIR, 'deploy/helm', file), 'utf8')) as T;
}

it('the users of NATS are those of the table of processes', async () => {
  const print = join(CHECKOUT_DIR, 'packages/launcher/src/containers/print-nats-users.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [print]);
  expect(await readFile(join(CHART_DIR, 'files', USERS_FILE), 'utf8')).toBe(stdout);
});

it('the users of NATS get their passwords as nats-values.yaml names them', async () => {
  const { container } = await readDeploy<NatsValues>('nats-values.yaml');
  const expected = CONTAINER_PROCESSES.map((name) => {
    const key = `NATS_PASSWORD_${name.toUpperCase()}`;
    return [key, { valueFrom: { secretKeyRef: { name: 'tollgate', key } } }];
  });
  expect(container.env).toEqual(Object.fromEntries(expected));
});

describeWithHelm('the servers that the guide installs', () => {
  it('the servers that the guide installs include the users of NATS that the chart has, and keep messages on disk as compose does', async () => {
    const { config, container, podTemplate } = await readDeploy<NatsValues>('nats-values.yaml');
    const [mount] = container.patch;
    const [volume] = podTemplate.patch;
    const included = resolve('/etc/nats-config', String(config.merge['00$include']));
    expect(dirname(included)).toBe(mount?.value.mountPath);
    expect(mount?.value.name).toBe(volume?.value.name);
    const maps = ofKind(await renderChart(VARIANTS['what is required']), 'ConfigMap');
    expect(maps.map(({ name }) => name)).toContain(volume?.value.configMap.name);
    expect(basename(included)).toBe(USERS_FILE);

    expect(config.jetstream).toMatchObject({ enabled: true, fileStore: { pvc: {} } });
    const ofCompose = await readFile(join(CHECKOUT_DIR, 'docker/nats-server.conf'), 'utf8');
    for (const [name, value] of Object.entries(config.jetstream.merge))
      expect(ofCompose).toContain(`${name}: ${value}`);
    const defaults = parse(await readFile(join(CHART_DIR, 'values.yaml'), 'utf8')) as {
      nats: { replicas: number };
    };
    expect(defaults.nats.replicas).toBe(config.cluster.replicas);
  });

  it('the servers that the guide installs are where the default values look for them', async () => {
    const { metadata, spec } = await readDeploy<MongoDB>('mongodb.yaml');
    const objects = await renderChart(VARIANTS['what is required']);
    const secrets = { MONGODB_PASSWORD: 'secret' };
    const { MONGODB_URL = '' } = environmentOf(podOf(objects, 'mongodb-users'), {
      podIp: '',
      secrets: new Proxy(secrets, { get: () => 'secret' }),
    });
    const hosts = Array.from({ length: spec.members }, (_, index) => `mongodb-${index}.mongodb-svc:27017`);
    const [user] = spec.users;
    expect(MONGODB_URL).toBe(
      `mongodb://${user?.name}:secret@${hosts}/?authSource=${user?.db}&replicaSet=${metadata.name}`,
    );
    expect(user?.passwordSecretRef).toEqual({ name: 'tollgate', key: 'MONGODB_PASSWORD' });
    // Otherwise the operator of MongoDB removes the users of the services.
    expect(spec.security.authentication.ignoreUnknownUsers).toBe(true);
    const [policy] = ofKind<INetworkPolicySpec>(objects, 'NetworkPolicy').filter(
      ({ name }) => name === 'tollgate-mongodb-users',
    );
    expect(policy?.spec.egress?.[1]?.to).toEqual([
      { podSelector: { matchLabels: { app: `${metadata.name}-svc` } } },
    ]);
  });
});
