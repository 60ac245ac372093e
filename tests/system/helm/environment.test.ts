import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readAccountsConfig } from '@tollgate/accounts/config';
import { readApplicationsConfig } from '@tollgate/applications/config';
import { readAuditConfig } from '@tollgate/audit/config';
import { readDashboardConfig } from '@tollgate/dashboard-server/config';
import { readGatewayConfig } from '@tollgate/gateway/config';
import { containerVariables } from '@tollgate/launcher/containers/container-variables';
import { generateSecrets } from '@tollgate/launcher/secrets';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { readPaymentsConfig } from '@tollgate/payments/config';
import { readUsageConfig } from '@tollgate/usage/config';
import { readWebhooksConfig } from '@tollgate/webhooks/config';
import { beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { describeWithHelm, ROLES, renderChart, VARIANTS } from './support/chart.ts';
import { environmentOf } from './support/environment.ts';
import { type KubernetesObject, podOf, podsIn } from './support/objects.ts';

interface ComposeService {
  command?: string[];
  environment: Record<string, string>;
}

type ReadConfig = (env: Record<string, string | undefined>) => object;

const READ_CONFIG: Record<(typeof ROLES)[number], ReadConfig> = {
  accounts: readAccountsConfig,
  applications: readApplicationsConfig,
  payments: readPaymentsConfig,
  webhooks: readWebhooksConfig,
  usage: readUsageConfig,
  audit: readAuditConfig,
  gateway: readGatewayConfig,
  dashboard: readDashboardConfig,
};

/** Parts of the variables that come after them, and what Node itself reads. */
const NOT_READ = ['NATS_PASSWORD', 'MONGODB_PASSWORD', 'POD_IP', 'NODE_EXTRA_CA_CERTS'];
/** For a cluster of NATS servers, and for an ingress in front of gateways: compose has neither. The image sets ADVERTISED_URL. */
const NOT_IN_COMPOSE = ['NATS_REPLICAS', 'TRUSTED_PROXIES', 'ADVERTISED_URL'];
/** Names and networks of the cluster. */
const OTHER_THAN_IN_COMPOSE = ['ADMIN_API_URL', 'ADMIN_TRUSTED_PROXIES'];

/** What print-env prints for an operator. */
const printedVariables = () => containerVariables(generateSecrets());

let compose: Record<string, ComposeService>;
let secrets: Record<string, string>;

describeWithHelm('the variables of', () => {
  let objects: KubernetesObject[];

  beforeAll(async () => {
    compose = (
      parse(await readFile(join(CHECKOUT_DIR, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
        services: Record<string, ComposeService>;
      }
    ).services;
    secrets = printedVariables();
    objects = await renderChart(VARIANTS['what is required']);
  });

  it.each(ROLES)('%s are those of compose', (role) => {
    const service = composeService(role);
    const { container } = podOf(objects, role);
    const names = (container.env ?? []).map(({ name }) => name).filter((name) => !NOT_READ.includes(name));
    // compose gives services variables that they do not read.
    const read = variablesOf(READ_CONFIG[role]);
    const inCompose = namesIn(service).filter((name) => read.has(name));
    expect(inCompose.filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => !inCompose.includes(name) && !NOT_IN_COMPOSE.includes(name))).toEqual([]);
    for (const [name, value] of Object.entries(service.environment)) {
      if (!read.has(name)) continue;
      const variable = container.env?.find((candidate) => candidate.name === name);
      const secret = /^\$\{(\w+):(\?.*|-)\}$/.exec(value);
      if (secret?.[1] !== undefined && secret[1] in secrets)
        expect(variable?.valueFrom?.secretKeyRef?.key, name).toBe(secret[1]);
      else if (!value.includes('$') && !OTHER_THAN_IN_COMPOSE.includes(name))
        expect(variable?.value, name).toBe(value);
    }
    const start = (service.command ?? []).join(' ');
    expect(start).toContain(container.args?.join(' '));
  });

  it('the job for the users of MongoDB are those of compose', () => {
    const { container } = podOf(objects, 'mongodb-users');
    const service = composeService('mongodb-users');
    const names = (container.env ?? []).map(({ name }) => name);
    expect(names.filter((name) => name !== 'MONGODB_PASSWORD').sort()).toEqual(namesIn(service).sort());
    expect(container.args).toEqual(service.command);
    const { MONGODB_URL } = environmentOf(podOf(objects, 'mongodb-users'), { secrets, podIp: '' });
    expect(MONGODB_URL).toContain(
      `mongodb://tollgate:${secrets['MONGODB_PASSWORD']}@mongodb-0.mongodb-svc:27017,`,
    );
  });

  it('the migrate job are those of compose: each database with the user of its service, and no administrator', () => {
    const pod = podOf(objects, 'migrate');
    const service = composeService('migrate');
    const names = (pod.container.env ?? []).map(({ name }) => name);
    expect(names.filter((name) => !name.startsWith('MONGODB_PASSWORD_')).sort()).toEqual(
      namesIn(service).sort(),
    );
    expect(names).not.toContain('MONGODB_PASSWORD');
    expect(pod.container.args).toEqual(service.command);
    const { MONGODB_URL_PAYMENTS } = environmentOf(pod, { secrets, podIp: '' });
    expect(MONGODB_URL_PAYMENTS).toContain(
      `mongodb://payments:${secrets['MONGODB_PASSWORD_PAYMENTS']}@mongodb-0.mongodb-svc:27017,`,
    );
  });
});

describeWithHelm.each([
  ['what is required', '10.1.2.3'],
  ['one instance of everything', '10.1.2.3'],
  ['everything', 'fd00::7'],
] as const)('with the values of %s,', (variant, podIp) => {
  let objects: KubernetesObject[];

  beforeAll(async () => {
    secrets = { ...printedVariables(), ACME_SECRETS: 'adapter' };
    // The file with the adapters is in a ConfigMap of the operator.
    objects = await renderChart({ ...VARIANTS[variant], processors: {} });
  });

  it.each(ROLES)('%s accepts its configuration, and reads each variable', (role) => {
    const environment = environmentOf(podOf(objects, role), { secrets, podIp });
    expect(() => READ_CONFIG[role](environment)).not.toThrow();
    const read = variablesOf(READ_CONFIG[role]);
    const unknown = Object.keys(environment).filter((name) => !read.has(name) && !NOT_READ.includes(name));
    expect(unknown).toEqual(variant === 'everything' && role === 'payments' ? ['ACME_SECRETS'] : []);
  });

  it('no variable has an unresolved part', () => {
    for (const pods of podsIn(objects))
      expect(Object.values(environmentOf(pods, { secrets, podIp })).join('\n'), pods.name).not.toContain(
        '$(',
      );
  });
});

describeWithHelm('payments', () => {
  it.each([
    ['IPv4', '10.1.2.3', '0.0.0.0', 'http://10.1.2.3:8090'],
    ['IPv6', 'fd00::7', '::', 'http://[fd00::7]:8090'],
  ])('payments announces the address of its own pod with %s', async (ipFamily, podIp, host, url) => {
    const objects = await renderChart({ ...VARIANTS['what is required'], ipFamily });
    const environment = environmentOf(podOf(objects, 'payments'), { secrets: printedVariables(), podIp });
    expect(environment).toMatchObject({ ADVERTISED_URL: url, HOST: host, OPS_HOST: host });
  });
});

describeWithHelm('variables of an operator', () => {
  it('variables of an operator can be empty, so that a process uses its default', async () => {
    const objects = await renderChart({
      ...VARIANTS['what is required'],
      env: { LOG_LEVEL: '' },
      roles: { payments: { env: { PROCESSORS_FILE: '', SANDBOX_API_URL: '' } } },
    });
    const cluster = { secrets: printedVariables(), podIp: '' };
    expect(environmentOf(podOf(objects, 'payments'), cluster)).toMatchObject({
      LOG_LEVEL: '',
      SANDBOX_API_URL: '',
    });
  });

  it.each([
    ['every role', { env: { DRAIN_DELAY: '30s' } }],
    ['one role', { roles: { gateway: { env: { DRAIN_DELAY: '30s' } } } }],
  ])(
    'variables of an operator cannot set the drain of %s, which the time to end must follow',
    async (_, values) => {
      const rendering = renderChart({ ...VARIANTS['what is required'], ...values });
      await expect(rendering).rejects.toThrow('Set drainSeconds instead');
    },
  );

  it('variables of an operator win over those of the chart, for every role or for one', async () => {
    const objects = await renderChart({
      ...VARIANTS['what is required'],
      env: { LOG_LEVEL: 'warn' },
      roles: { usage: { env: { LOG_LEVEL: 'debug', REQUEST_LOG_KEPT: '7d' } } },
    });
    const cluster = { secrets: printedVariables(), podIp: '' };
    expect(environmentOf(podOf(objects, 'usage'), cluster)).toMatchObject({
      LOG_LEVEL: 'debug',
      REQUEST_LOG_KEPT: '7d',
    });
    expect(environmentOf(podOf(objects, 'audit'), cluster)).toMatchObject({ LOG_LEVEL: 'warn' });
  });

  it('variables of an operator can keep the secrets of a role in a Secret of its own', async () => {
    const objects = await renderChart({
      ...VARIANTS['what is required'],
      roles: { audit: { existingSecret: 'audit-alone' } },
    });
    const secretsOf = (role: string) =>
      new Set(
        (podOf(objects, role).container.env ?? []).flatMap(
          ({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? [],
        ),
      );
    expect([...secretsOf('audit')]).toEqual(['audit-alone']);
    expect([...secretsOf('usage')]).toEqual(['tollgate']);
  });
});

function composeService(name: string): ComposeService {
  const service = compose[name];
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}.`);
  return service;
}

/** Variables in `environment`, and the one that docker/entrypoint.sh sets for payments. */
function namesIn({ environment, command = [] }: ComposeService): string[] {
  const isPayments = command.includes('services/payments/src/main.ts');
  return [...Object.keys(environment), ...(isPayments ? ['ADVERTISED_URL'] : [])];
}

/** Every variable that the process looks up. */
function variablesOf(read: ReadConfig): Set<string> {
  const names = new Set<string>();
  const environment = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get(_, name) {
        names.add(String(name));
        return undefined;
      },
    },
  );
  try {
    read(environment);
  } catch {
    // Required variables are missing.
  }
  return names;
}
