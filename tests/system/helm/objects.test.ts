import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { stopLimitMs } from '@tollgate/runtime/stop-limit';
import type { IHorizontalPodAutoscalerSpec } from 'kubernetes-models/autoscaling/v2';
import type { IIngressSpec, INetworkPolicySpec } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudgetSpec } from 'kubernetes-models/policy/v1';
import type { IServiceSpec } from 'kubernetes-models/v1';
import { beforeAll, expect, it } from 'vitest';
import { describeWithHelm, ROLES, renderChart, VARIANTS } from './support/chart.ts';
import { schemaErrors, typeErrors } from './support/kubernetes-schemas.ts';
import { type KubernetesObject, ofKind, podOf, podsIn, selects } from './support/objects.ts';

type Selector = { matchLabels?: Record<string, string> };

describeWithHelm.each(Object.entries(VARIANTS))('the chart with %s', (_, values) => {
  let objects: KubernetesObject[];

  beforeAll(async () => {
    objects = await renderChart(values);
  });

  it('the chart is valid by the schemas of Kubernetes', () => {
    expect(schemaErrors(objects)).toEqual([]);
  });

  it('the chart runs every role, and names no object twice', () => {
    const roles = podsIn(objects).map(({ component }) => component);
    expect(roles).toEqual(expect.arrayContaining([...ROLES]));
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names).toEqual([...new Set(names)]);
  });

  it('the chart selects the pods of one workload with each selector, and labels them with what never changes', () => {
    const workloads = objects.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
    const selectors = [
      ...workloads.map(({ metadata: { name }, spec }) => [name, spec?.['selector'] as Selector] as const),
      ...ofKind<IServiceSpec>(objects, 'Service').map(
        ({ name, spec }) => [name, { matchLabels: spec.selector ?? {} }] as const,
      ),
      ...ofKind<IPodDisruptionBudgetSpec>(objects, 'PodDisruptionBudget').map(
        ({ name, spec }) => [name, spec.selector as Selector] as const,
      ),
    ];
    for (const [name, selector] of selectors) {
      const selected = podsIn(objects).filter(({ labels }) => selects(selector, labels));
      expect(selected, name).toHaveLength(1);
      // An upgrade cannot change the selector of a workload.
      expect(Object.keys(selector.matchLabels ?? {}), name).not.toContain('app.kubernetes.io/version');
    }
  });

  it('the chart gives probes, Services, and network policies only ports that the pods have', () => {
    for (const { name, container } of podsIn(objects)) {
      for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe])
        if (probe) expect(portsOf(container), name).toContain(probe.httpGet?.port);
    }
    for (const { name, spec } of ofKind<IServiceSpec>(objects, 'Service')) {
      const pods = podsIn(objects).filter(({ labels }) =>
        selects({ matchLabels: spec.selector ?? {} }, labels),
      );
      for (const { targetPort } of spec.ports ?? [])
        expect(
          pods.flatMap(({ container }) => portsOf(container)),
          name,
        ).toContain(targetPort);
    }
    for (const { name, spec } of ofKind<INetworkPolicySpec>(objects, 'NetworkPolicy')) {
      const pods = podsIn(objects).filter(({ labels }) => selects(spec.podSelector as Selector, labels));
      for (const { port } of (spec.ingress ?? []).flatMap(({ ports = [] }) => ports))
        expect(
          pods.flatMap(({ container }) => portsOf(container)),
          name,
        ).toContain(port);
    }
  });

  it('the chart probes every role: is it alive, and is it ready', () => {
    for (const role of ROLES) {
      const { container } = podOf(objects, role);
      expect(container.livenessProbe?.httpGet?.path, role).toBe('/livez');
      expect(container.readinessProbe?.httpGet?.path, role).toBe('/readyz');
      const { periodSeconds = 0, failureThreshold = 0 } = container.startupProbe ?? {};
      // As compose does.
      expect(periodSeconds * failureThreshold, role).toBe(120);
    }
  });

  it('the chart gives no container root, a token, a writable root, or a capability', () => {
    for (const { name, spec, container } of podsIn(objects)) {
      expect(spec, name).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1000,
          runAsGroup: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      expect(container.securityContext, name).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources?.requests, name).toHaveProperty('memory');
      expect(container.resources?.limits, name).toHaveProperty('memory');
    }
  });

  it('the chart gives a pod the time to drain and to finish what is in flight', () => {
    for (const role of ROLES) {
      const { spec, container } = podOf(objects, role);
      const drainDelay = container.env?.find(({ name }) => name === 'DRAIN_DELAY')?.value ?? '';
      const drainSeconds = Number(/^(\d+)s$/.exec(drainDelay)?.[1]);
      const limitS = drainSeconds + stopLimitMs(1) / 1000;
      expect(spec.terminationGracePeriodSeconds, role).toBeGreaterThan(limitS);
    }
  });

  it('the chart scales workloads that exist, and leaves the number of their instances to the autoscaler', () => {
    for (const { name, spec } of ofKind<IHorizontalPodAutoscalerSpec>(objects, 'HorizontalPodAutoscaler')) {
      const { kind, name: target } = spec.scaleTargetRef;
      const workload = objects.find((object) => object.kind === kind && object.metadata.name === target);
      expect(workload?.spec, name).not.toHaveProperty('replicas');
    }
  });

  it('the chart gives metrics the labels by which the alerts select them', () => {
    const monitors = ofKind<{ jobLabel: string; endpoints: { honorLabels?: boolean }[] }>(
      objects,
      'ServiceMonitor',
    );
    const alerts = readFileSync(join(CHECKOUT_DIR, 'deploy/monitoring/alerts.yml'), 'utf8');
    expect(alerts).toContain('job=~"tollgate.*"');
    for (const { spec } of monitors) {
      expect(spec.endpoints).toEqual([expect.objectContaining({ honorLabels: true })]);
      for (const { metadata } of objects.filter(({ kind }) => kind === 'Service'))
        expect(metadata.labels?.[spec.jobLabel], metadata.name).toMatch(/^tollgate/);
    }
  });

  it('the chart routes traffic to ports of Services that exist', () => {
    const backends = [
      ...ofKind<IIngressSpec>(objects, 'Ingress')
        .flatMap(({ spec }) => spec.rules ?? [])
        .flatMap(({ http }) => http?.paths ?? [])
        .map(({ backend }) => ({ name: backend.service?.name, port: backend.service?.port?.number })),
      ...ofKind<{ rules: { backendRefs: { name: string; port: number }[] }[] }>(objects, 'HTTPRoute')
        .flatMap(({ spec }) => spec.rules)
        .flatMap(({ backendRefs }) => backendRefs),
    ];
    const services = ofKind<IServiceSpec>(objects, 'Service').flatMap(({ name, spec }) =>
      (spec.ports ?? []).map(({ port }) => ({ name, port })),
    );
    for (const backend of backends) expect(services).toContainEqual(backend);
  });
});

describeWithHelm('the chart', () => {
  it('the chart has no field that Kubernetes does not know, except the one that this test adds', async () => {
    const rendered = (await Promise.all(Object.values(VARIANTS).map(renderChart))).flat();
    const object = rendered.find(({ kind }) => kind === 'Deployment') as KubernetesObject;
    const unknown = { ...object, spec: { ...object.spec, replicass: 3 } };
    expect(typeErrors([...rendered, unknown])).toEqual([expect.stringContaining('replicass')]);
  });

  it('the chart gives each gateway a volume that outlives its pod', async () => {
    const objects = await renderChart(VARIANTS['what is required']);
    const [gateway] = ofKind(objects, 'StatefulSet');
    expect(gateway).toMatchObject({
      name: 'tollgate-gateway',
      spec: {
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
        volumeClaimTemplates: [{ metadata: { name: 'usage' } }],
      },
    });
    const { container, spec } = podOf(objects, 'gateway');
    const directory = container.env?.find(({ name }) => name === 'USAGE_SPOOL_DIR')?.value;
    expect(container.volumeMounts).toEqual([{ name: 'usage', mountPath: directory }]);
    // A new volume belongs to root.
    expect(spec.securityContext?.fsGroup).toBe(1000);
  });

  it('the chart gives every process the authorities of the operator', async () => {
    const objects = await renderChart(VARIANTS.everything);
    for (const { name, container, spec } of podsIn(objects)) {
      const volume = spec.volumes?.find(({ configMap }) => configMap?.name === 'company-ca');
      const mount = container.volumeMounts?.find((one) => one.name === volume?.name);
      const file = container.env?.find((variable) => variable.name === 'NODE_EXTRA_CA_CERTS')?.value;
      expect(file, name).toBe(`${mount?.mountPath}/ca.crt`);
    }
  });

  it('the chart is rejected by the schemas of Kubernetes if a field has the wrong type', async () => {
    const objects = await renderChart(VARIANTS['what is required']);
    const object = objects.find(({ kind }) => kind === 'Deployment');
    const wrong = { ...object, spec: { ...object?.spec, replicas: 'three' } } as KubernetesObject;
    expect(schemaErrors([wrong]).join()).toContain('replicas');
  });
});

function portsOf(container: { ports?: { name?: string }[] }): (string | undefined)[] {
  return (container.ports ?? []).map(({ name }) => name);
}

describeWithHelm('the image', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  const imagesWith = async (values: { image?: object; roles?: object }) => {
    const { image } = VARIANTS['what is required'];
    const objects = await renderChart({
      ...VARIANTS['what is required'],
      ...values,
      image: { ...image, ...values.image },
    });
    return ['audit', 'usage'].map((role) => podOf(objects, role).container.image);
  };

  it('the image of a role has its own tag during an upgrade role by role, also with a digest in it', async () => {
    const roles = { audit: { tag: `0.2.0@${digest}` } };
    expect(await imagesWith({ image: { tag: '0.1.0' }, roles })).toEqual([
      `registry.example.com/tollgate:0.2.0@${digest}`,
      'registry.example.com/tollgate:0.1.0',
    ]);
  });

  it('the image is rejected with both a digest and a tag', async () => {
    await expect(imagesWith({ image: { tag: '0.1.0', digest } })).rejects.toThrow('Empty one');
  });
});
