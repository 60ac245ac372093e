import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import type { IServiceSpec } from 'kubernetes-models/v1';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { codeBlocksOf } from '../../support/platform/code-blocks.ts';
import { describeWithHelm, ROLES, renderChart } from './support/chart.ts';
import { type KubernetesObject, ofKind, podOf } from './support/objects.ts';
import { mergeValues, type Values, valuesErrors } from './support/values.ts';

const PAGE = 'operating/kubernetes';
const SEPARATOR = '\u001f';
/** Instead of programs that need a cluster. Each prints its arguments to the second file descriptor. */
const RECORDERS = ['docker', 'kubectl', 'helm']
  .map((name) => `${name}() { printf '%s${SEPARATOR}' ${name} "$@" >&2; echo >&2; }`)
  .join('\n');

const blocks = codeBlocksOf('operating/kubernetes');
const text = readFileSync(join(CHECKOUT_DIR, `docs/${PAGE}.md`), 'utf8');
const values = parse(blocks.find(({ language }) => language === 'yaml')?.code ?? '') as Values;

let folder: string;
/** The arguments of each command of the page, in order. */
let commands: string[][];

describeWithHelm('the guide to Kubernetes', () => {
  let objects: KubernetesObject[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-kubernetes-'));
    symlinkSync(join(CHECKOUT_DIR, 'deploy'), join(folder, 'deploy'));
    const script = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code);
    commands = runWithRecorders(script.join('\n'));
    objects = await renderChart(values);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('the guide to Kubernetes sets values that the chart has', async () => {
    expect(valuesErrors(values)).toEqual([]);
    const ofTollgate = commands.filter(
      ([program, verb, release]) =>
        program === 'helm' && /^(install|upgrade)$/.test(verb ?? '') && release === 'tollgate',
    );
    expect(ofTollgate.length).toBeGreaterThan(5);
    for (const command of ofTollgate) {
      expect(command.slice(3, 4)).toEqual(['deploy/helm/tollgate']);
      expect(optionsOf(command, '--values')).toEqual(['values.yaml']);
      expect(valuesErrors(valuesOf(command)), command.join(' ')).toEqual([]);
    }
  });

  it('the guide to Kubernetes names files of a checkout', () => {
    const files = commands
      .flatMap((command) => [...optionsOf(command, '--values'), ...optionsOf(command, '--filename')])
      .filter((file) => file !== 'values.yaml');
    expect(files).toEqual(['deploy/helm/nats-values.yaml', 'deploy/helm/mongodb.yaml']);
    for (const file of files) expect(existsSync(join(CHECKOUT_DIR, file)), file).toBe(true);
  });

  it('the guide to Kubernetes pushes the image that the chart runs', () => {
    const [built] =
      commands.find(([program, verb]) => program === 'docker' && verb === 'build')?.slice(3) ?? [];
    for (const role of ROLES) expect(podOf(objects, role).container.image).toBe(built);
  });

  it('the guide to Kubernetes creates the Secret that the chart reads, and restarts workloads that exist', () => {
    expect(commands).toContainEqual([
      ...['kubectl', '--namespace', 'tollgate', 'create', 'secret', 'generic', 'tollgate'],
      '--from-env-file=tollgate.env',
    ]);
    const restarted = commands
      .filter((command) => command.includes('restart'))
      .flatMap((command) => command.slice(5));
    const workloads = objects.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`);
    expect(restarted).toHaveLength(3);
    expect(workloads).toEqual(expect.arrayContaining(restarted));
  });

  it('the guide to Kubernetes upgrades in the order that the page on versioning has', async () => {
    const versioning = readFileSync(join(CHECKOUT_DIR, 'docs/versioning.md'), 'utf8');
    const order = [...versioning.matchAll(/^\d\. ((?:`\w+`(?:, )?)+)/gm)].map(([, line = '']) =>
      [...line.matchAll(/`(\w+)`/g)].map(([, role = '']) => role),
    );
    const [readers = [], services = [], ...edge] = order;
    const upgrades = commands.filter((command) => command.includes('--timeout') && command[1] === 'upgrade');
    const upgraded = await Promise.all(
      upgrades.map(async (command) => {
        const rendered = await renderChart(valuesOf(command));
        return ROLES.filter((role) => !podOf(rendered, role).container.image?.endsWith(':1.0.0')).toSorted();
      }),
    );
    expect(upgraded.slice(0, 2)).toEqual([readers.toSorted(), [...readers, ...services].toSorted()]);
    expect(edge.flat().toSorted()).toEqual(['dashboard', 'gateway']);
    // The last one upgrades the rest: it is the command without tags.
    expect(optionsOf(upgrades[2] ?? [], '--set')).toEqual([]);
    expect(upgrades).toHaveLength(3);
  });

  it('the guide to Kubernetes names the address for adapters, and their label', () => {
    const [, service, port] = /http:\/\/([\w-]+):(\d+)\/v1\/processor-events/.exec(text) ?? [];
    const found = ofKind<IServiceSpec>(objects, 'Service').find(({ name }) => name === service);
    expect(found?.spec.ports?.map((one) => String(one.port))).toEqual([port]);
    expect(text).toContain('`tollgate.dev/adapter: "true"`');
  });

  it('the guide to Kubernetes gives adapters their secrets by the commands for processors', async () => {
    const command = commands.find((one) => one.join(' ').includes('processors.existingConfigMap')) ?? [];
    const rendered = await renderChart(valuesOf(command));
    const { container, spec } = podOf(rendered, 'payments');
    const { value: file } = container.env?.find(({ name }) => name === 'PROCESSORS_FILE') ?? {};
    const [volume] = spec.volumes ?? [];
    expect(`${container.volumeMounts?.[0]?.mountPath}/processors.yaml`).toBe(file);
    expect(commands).toContainEqual([
      ...['kubectl', '--namespace', 'tollgate', 'create', 'configmap', volume?.configMap?.name],
      '--from-file=processors.yaml',
    ]);
    expect(container.env?.find(({ name }) => name === 'ACME_SECRETS')?.valueFrom?.secretKeyRef).toEqual({
      name: 'tollgate',
      key: 'ACME_SECRETS',
    });
  });
});

function runWithRecorders(script: string): string[][] {
  const output = join(folder, 'commands');
  execFileSync('bash', ['-euc', `${RECORDERS}\n{ ${script}\n} 2>${output}`], { cwd: folder });
  return readFileSync(output, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(SEPARATOR).slice(0, -1));
}

function optionsOf(command: readonly string[], name: string): string[] {
  return command.flatMap((word, index) => (word === name ? (command[index + 1] ?? []) : []));
}

/** As Helm reads them: the file, and the values of `--set` over it. */
function valuesOf(command: readonly string[]): Values {
  const set = optionsOf(command, '--set').flatMap((assignments) => assignments.split(','));
  return set.reduce<Values>((merged, assignment) => {
    const [path = '', value = ''] = assignment.split('=');
    const parsed = /^\d+$/.test(value) ? Number(value) : value;
    const nested = path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), parsed);
    return mergeValues(merged, nested as Values);
  }, values);
}
