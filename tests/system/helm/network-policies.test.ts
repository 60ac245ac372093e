import type { INetworkPolicySpec } from 'kubernetes-models/networking.k8s.io/v1';
import { beforeAll, expect, it } from 'vitest';
import { describeWithHelm, ROLES, renderChart, VARIANTS } from './support/chart.ts';
import { type KubernetesObject, ofKind, podOf, podsIn, selects } from './support/objects.ts';

type Selector = { matchLabels?: Record<string, string> };

let objects: KubernetesObject[];

describeWithHelm('the network policies', () => {
  beforeAll(async () => {
    objects = await renderChart(VARIANTS['what is required']);
  });

  it('the network policies deny everything by default, and have one more policy for each pod', () => {
    const policies = ofKind<INetworkPolicySpec>(objects, 'NetworkPolicy');
    for (const { name, labels } of podsIn(objects)) {
      const own = policies.filter(({ spec }) => selects(spec.podSelector as Selector, labels));
      expect(own, name).toHaveLength(2);
      expect(own[0]?.spec).toEqual({
        podSelector: expect.anything(),
        policyTypes: ['Ingress', 'Egress'],
      });
      expect(own[1]?.spec.policyTypes).toEqual(['Ingress', 'Egress']);
    }
  });

  it('the network policies let each role reach only the roles that it calls', () => {
    const allowed = ROLES.flatMap((from) =>
      ROLES.flatMap((to) => reachablePorts(from, to).map((port) => `${from} → ${to} ${port}`)),
    );
    expect(allowed).toEqual(['gateway → payments http', 'dashboard → gateway admin']);
  });

  it('the network policies let every role but the dashboard reach NATS, and every service MongoDB', () => {
    const services = ROLES.filter((role) => role !== 'gateway' && role !== 'dashboard');
    expect(ROLES.filter((role) => egressPorts(role).includes(4222))).toEqual([...services, 'gateway']);
    expect(ROLES.filter((role) => egressPorts(role).includes(27017))).toEqual(services);
    for (const job of ['mongodb-users', 'migrate']) expect(egressPorts(job)).toEqual([53, 53, 27017]);
  });

  it.each(['accounts', 'webhooks'])(
    'the network policies let %s reach the internet, and no private network',
    (role) => {
      expect(ROLES.filter((other) => internetBlocks(other).length > 0)).toEqual(['accounts', 'webhooks']);
      expect(internetBlocks(role)).toEqual([
        {
          cidr: '0.0.0.0/0',
          except: expect.arrayContaining(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16']),
        },
        { cidr: '2000::/3' },
      ]);
    },
  );

  it('the network policies let webhooks reach the networks that the process may reach', async () => {
    const liveNetworks = ['10.8.0.0/16', '10.9.0.0/16'];
    objects = await renderChart({ ...VARIANTS['what is required'], webhooks: { liveNetworks } });
    const blocks = policyOf('webhooks').egress?.flatMap(({ to = [] }) =>
      to.map(({ ipBlock }) => ipBlock?.cidr),
    );
    expect(blocks).toEqual(expect.arrayContaining(liveNetworks));
    const variable = podOf(objects, 'webhooks').container.env?.find(
      ({ name }) => name === 'WEBHOOKS_LIVE_NETWORKS',
    );
    expect(variable?.value).toBe(liveNetworks.join(','));
  });

  it('the network policies let accounts reach the networks of chats, and the mail server', async () => {
    const [networks, serverPeers] = [['10.8.0.0/16'], [{ ipBlock: { cidr: '10.5.0.0/16' } }]];
    const mail = { from: 'tollgate@example.com', serverPeers };
    objects = await renderChart({ ...VARIANTS['what is required'], chat: { networks }, mail });
    expect(internetBlocks('accounts')).toContainEqual({ cidr: '10.8.0.0/16' });
    expect(policyOf('accounts').egress).toContainEqual({ to: serverPeers });
  });

  it('the network policies let the ingress reach the admin API only if it is exposed', async () => {
    const withIngress = (expose: string[]) =>
      renderChart({ ...VARIANTS['what is required'], ingress: { enabled: true, expose } });
    objects = await withIngress(['live', 'dashboard']);
    expect(publicPorts('gateway')).toEqual(['live', 'sandbox']);
    objects = await withIngress(['live', 'admin']);
    expect(publicPorts('gateway')).toEqual(['live', 'sandbox', 'admin']);
  });

  it('the network policies let adapters and payments reach each other, once there are adapters', async () => {
    const adapterPeers = [{ ipBlock: { cidr: '10.5.0.0/16' } }];
    const render = (processors: object) => renderChart({ ...VARIANTS['what is required'], processors });
    objects = await render({ adapterPeers });
    expect(JSON.stringify(policyOf('payments'))).not.toContain('callbacks');
    objects = await render({ adapterPeers, existingConfigMap: 'processors' });
    expect(policyOf('payments').ingress).toContainEqual({
      from: adapterPeers,
      ports: [{ port: 'callbacks' }],
    });
    expect(policyOf('payments').egress).toContainEqual({ to: adapterPeers });
  });
});

function policyOf(component: string): INetworkPolicySpec {
  const name = `tollgate-${component}`;
  const policy = ofKind<INetworkPolicySpec>(objects, 'NetworkPolicy').find((one) => one.name === name);
  if (policy === undefined) throw new Error(`${name} has no network policy.`);
  return policy.spec;
}

/** Ports on which both sides allow it. Peers in other namespaces are not roles. */
function reachablePorts(from: string, to: string): unknown[] {
  const [source, target] = [podOf(objects, from), podOf(objects, to)];
  const egress = (policyOf(from).egress ?? []).filter(({ to: peers = [] }) =>
    includesPod(peers, target.labels),
  );
  const ingress = (policyOf(to).ingress ?? []).filter(({ from: peers = [] }) =>
    includesPod(peers, source.labels),
  );
  const ports = egress.flatMap((rule) => (rule.ports ?? []).map(({ port }) => port));
  return ports.filter((port) => ingress.some((rule) => rule.ports?.some((one) => one.port === port)));
}

function includesPod(
  peers: readonly { podSelector?: unknown; namespaceSelector?: unknown }[],
  labels: Record<string, string>,
): boolean {
  return peers.some(
    ({ podSelector, namespaceSelector }) =>
      podSelector !== undefined &&
      namespaceSelector === undefined &&
      selects(podSelector as Selector, labels),
  );
}

function egressPorts(component: string): unknown[] {
  return (policyOf(component).egress ?? []).flatMap(({ ports = [] }) => ports.map(({ port }) => port));
}

/** Networks that it may reach on every port. */
function internetBlocks(component: string): unknown[] {
  return (policyOf(component).egress ?? [])
    .filter(({ ports }) => ports === undefined)
    .flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? []));
}

/** Ports that everyone reaches. */
function publicPorts(component: string): unknown[] {
  return (policyOf(component).ingress ?? [])
    .filter(({ from }) => from === undefined)
    .flatMap(({ ports = [] }) => ports.map(({ port }) => port));
}
