import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The packages that run as processes of the platform. */
const COMPONENTS = [
  'gateway',
  'accounts',
  'applications',
  'payments',
  'webhooks',
  'usage',
  'audit',
  'dashboard-server',
];

/**
 * The workspace packages that each package may import at run time. A package that is missing here fails the test.
 */
const MAY_IMPORT: Record<string, string[]> = {
  contracts: [],
  tracing: [],
  'admin-client': ['contracts'],
  bus: ['contracts', 'tracing'],
  http: ['contracts'],
  runtime: ['contracts', 'http', 'tracing'],
  security: ['contracts', 'runtime'],
  store: ['contracts', 'runtime', 'security', 'tracing'],
  outbound: ['contracts', 'http', 'runtime'],
  service: ['contracts', 'bus', 'runtime', 'security', 'store', 'tracing'],
  'audit-log': ['contracts'],
  'processor-adapter': ['contracts', 'http', 'runtime', 'tracing'],
  'adapter-mollie': ['contracts', 'runtime', 'processor-adapter'],
  'adapter-stripe': ['contracts', 'runtime', 'processor-adapter'],
  cli: [
    'contracts',
    'admin-client',
    'http',
    'audit-log',
    'bus',
    'http',
    'processor-adapter',
    'runtime',
    'store',
    'configuration',
    // The commands for the data of an installation: its paths, and its data file.
    'launcher',
    'embedded-mongodb',
    // The versions of NATS that are tested.
    'local-servers',
  ],
  'embedded-mongodb': [],
  gateway: ['contracts', 'bus', 'http', 'runtime', 'security', 'tracing'],
  accounts: ['contracts', 'bus', 'http', 'outbound', 'runtime', 'security', 'store', 'service'],
  applications: ['contracts', 'bus', 'runtime', 'security', 'store', 'service'],
  payments: [
    'contracts',
    'bus',
    'http',
    'processor-adapter',
    'runtime',
    'security',
    'store',
    'service',
    'tracing',
  ],
  webhooks: ['contracts', 'bus', 'outbound', 'runtime', 'security', 'store', 'service', 'tracing'],
  usage: ['contracts', 'bus', 'runtime', 'security', 'store', 'service'],
  audit: ['contracts', 'bus', 'runtime', 'security', 'store', 'service', 'audit-log'],
  dashboard: ['contracts', 'admin-client', 'dashboard-server', 'runtime', 'security', 'tracing'],
  'dashboard-server': ['contracts', 'http', 'runtime', 'security', 'tracing'],
  'all-in-one': ['runtime', 'service', ...COMPONENTS],
  'local-servers': ['http'],
  launcher: ['contracts', 'admin-client', 'bus', 'runtime', 'security', 'local-servers'],
  // The tables of variables of every process, and the schemas of their databases.
  configuration: [
    'runtime',
    'contracts',
    'store',
    'processor-adapter',
    'adapter-mollie',
    'adapter-stripe',
    ...COMPONENTS,
    'launcher',
  ],
  'prose-lint': [],
  release: ['gateway'],
  'docs-site': ['contracts', 'gateway', 'local-servers'],
  // Published: nothing of the platform may get into it. `tests` compares its types with those of contracts.
  sdk: [],
  'test-kit': ['local-servers'],
  tests: [
    'contracts',
    'admin-client',
    'docs-site',
    'bus',
    'runtime',
    'security',
    'store',
    'audit-log',
    'local-servers',
    'launcher',
    'sdk',
    'test-kit',
    // Their failure codes, which a guide lists.
    'adapter-mollie',
    'adapter-stripe',
    // Their configuration only: the chart for Kubernetes is checked against it.
    ...COMPONENTS,
  ],
};

/** Files that may be imported from the processes by packages that collect them, as an exported path. */
const COLLECTED: Record<string, RegExp> = {
  configuration: /\/(config|schema)$/,
};

/** Tests of every package may import these. */
const TEST_LIBRARIES = ['test-kit', 'local-servers'];

/** Their listeners are those of tests alone. */
const TEST_LIBRARIES_ALONE = ['test-kit', 'tests'];

/** Only these packages import these libraries, so that the rest of the platform does not depend on their details. */
const ONLY_IMPORTER: Record<string, string[]> = {
  '@nats-io/': ['bus'],
  mongoose: ['store', 'service', 'accounts', 'applications', 'payments', 'webhooks', 'usage', 'audit'],
  // One logger, which redacts credentials, and one graceful stop for every process. The gateway's use is a destination.
  // The benchmark of gateways has one that a team would build.
  pino: ['runtime', 'gateway', 'tests'],
  'close-with-grace': ['runtime'],
  // Loaded only by a process that sends spans: see start-tracing.ts.
  '@opentelemetry/': ['tracing'],
  // The embedded server is tested and measured with the official driver; local-servers creates users.
  // The command line copies documents byte by byte, which mongoose does not offer. The store corrects a class of the driver.
  mongodb: ['test-kit', 'embedded-mongodb', 'local-servers', 'cli', 'store'],
  // runtime uses it as a lock that the operating system releases.
  // processor-adapter keeps the payments that it started in a file.
  'node:sqlite': ['embedded-mongodb', 'runtime', 'processor-adapter'],
  mingo: ['embedded-mongodb'],
  '@simplewebauthn/': ['accounts'],
  nodemailer: ['accounts'],
  'openid-client': ['accounts'],
  'oidc-provider': ['test-kit'],
  'smtp-server': ['local-servers'],
};

/**
 * The files that check values against a schema as it is written, which is closed: requests and input of an operator,
 * what the same process wrote, and audit exports, whose format has a version and whose bytes are verified. Every other
 * reader is open (`@tollgate/contracts/platform/open-reader`), so that adjacent releases can run side by side.
 */
const CLOSED_READERS = [
  'gateway/src/admin-api/query-parameters.ts',
  'gateway/src/admin-api/route-request.ts',
  'packages/audit-log/src/verify/read-line.ts',
  'packages/audit-log/src/verify/witness.ts',
  'packages/bus/src/validator.ts',
  'packages/cli/src/processor/scenarios.ts',
  'packages/contracts/src/platform/open-reader.ts',
  'packages/launcher/src/first-run/first-run-record.ts',
  'packages/launcher/src/secrets.ts',
  'services/audit/src/export/export-cursor.ts',
  'services/payments/src/http/request-body.ts',
  'services/payments/src/processors/routing/processors-file.ts',
];

/** The packages whose folders import each other in one direction only. */
const LAYERED = ['contracts', 'gateway', 'payments'];

interface Workspace {
  name: string;
  folder: string;
}

interface Import {
  file: string;
  specifier: string;
  isTest: boolean;
}

function workspaces(): Workspace[] {
  const { workspaces: patterns } = readJson(join(ROOT, 'package.json')) as { workspaces: string[] };
  const folders = patterns.flatMap((pattern) =>
    pattern.endsWith('/*')
      ? readdirSync(join(ROOT, pattern.slice(0, -2))).map((name) => join(ROOT, pattern.slice(0, -2), name))
      : [join(ROOT, pattern)],
  );
  return folders.map((folder) => {
    const { name } = readJson(join(folder, 'package.json')) as { name: string };
    return { folder, name: name.replace('@tollgate/', '') };
  });
}

function importsOf(workspace: Workspace): Import[] {
  return sourceFiles(workspace.folder).flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    const specifiers = source.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)['"]([^'"]+)['"]/gm);
    return [...specifiers].map(([, specifier]) => ({
      file: relative(ROOT, file),
      specifier: specifier as string,
      isTest: isTestFile(file),
    }));
  });
}

/** What each file of the package imports from the package, types included. Both are relative to the root. */
function fileGraph({ folder, imports }: Workspace & { imports: Import[] }): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const { file, specifier } of imports) {
    const path = specifier.replace(/^#lib(?=\/)/, join(folder, 'src/lib'));
    if (!/^[./]/.test(path)) continue;
    const imported = relative(ROOT, resolve(ROOT, dirname(file), path));
    // A Svelte component that contains itself imports itself.
    if (imported === file) continue;
    graph.set(file, [...(graph.get(file) ?? []), imported]);
  }
  return graph;
}

function folderGraph(files: Map<string, string[]>): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const [file, imported] of files) {
    const folder = dirname(file);
    const others = imported.map((path) => dirname(path)).filter((other) => other !== folder);
    graph.set(folder, [...(graph.get(folder) ?? []), ...others]);
  }
  return graph;
}

/** The first cycle found, from a node back to itself; empty if there is none. */
function findCycle(graph: Map<string, string[]>): string[] {
  const path: string[] = [];
  const finished = new Set<string>();
  function visit(node: string): string[] {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (finished.has(node)) return [];
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next);
      if (cycle.length > 0) return cycle;
    }
    path.pop();
    finished.add(node);
    return [];
  }
  for (const node of graph.keys()) {
    const cycle = visit(node);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

function sourceFiles(folder: string): string[] {
  const inside = folders.filter((other) => other.startsWith(`${folder}/`));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|mjs|js|svelte)$/.test(path) && !/(^|\/)(node_modules\/|dist\/|\.)/.test(path))
    .map((path) => join(folder, path))
    .filter((file) => !inside.some((other) => file.startsWith(`${other}/`)));
}

function isTestFile(file: string): boolean {
  return /\.test\.ts$|\/(test|bench)\//.test(file);
}

function startsListener(source: string): boolean {
  return /\bfastify\(/.test(source) || (/from 'node:https?'/.test(source) && /\bcreateServer\(/.test(source));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

const folders = workspaces().map(({ folder }) => folder);
const all = workspaces().map((workspace) => ({ ...workspace, imports: importsOf(workspace) }));

/** A schema whose documents have audit entries: with the fields of audited records, or an outbox of its own. */
const WITH_OUTBOX = /\.\.\.AUDITED_FIELDS|\boutbox: (\[Schema\.Types\.Mixed\]|listOf|AUDITED_FIELDS\.outbox)/;
const KEEPS_EMPTY_OBJECTS = /minimize: false|\.\.\.RECORD_OPTIONS/;

describe('the import rules', () => {
  it.each(all)('$name imports only the workspace packages it may', ({ name, imports }) => {
    const allowed = MAY_IMPORT[name];
    expect(allowed, `${name} is not in the table of this test: decide what it may import`).toBeDefined();
    const wrong = imports.filter(({ specifier, isTest }) => {
      const target = /^@tollgate\/([^/]+)/.exec(specifier)?.[1];
      if (target === undefined || target === name) return false;
      return !(allowed?.includes(target) || (isTest && TEST_LIBRARIES.includes(target)));
    });
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(COLLECTED))('%s imports only %s of each process', (name, allowed) => {
    const imports = all.find((workspace) => workspace.name === name)?.imports ?? [];
    const ofProcesses = imports.filter(({ specifier }) =>
      COMPONENTS.some((component) => specifier.startsWith(`@tollgate/${component}/`)),
    );
    expect(ofProcesses.length).toBeGreaterThan(0);
    expect(ofProcesses.filter(({ specifier }) => !allowed.test(specifier))).toEqual([]);
  });

  it.each(all)('$name imports no file of another workspace by path', ({ folder, imports }) => {
    const wrong = imports.filter(
      ({ file, specifier }) =>
        // The first step of the launcher runs before the workspaces are linked.
        !file.startsWith('packages/launcher/bootstrap/') &&
        specifier.startsWith('.') &&
        relative(folder, join(ROOT, dirname(file), specifier)).startsWith('..'),
    );
    expect(wrong).toEqual([]);
  });

  it.each(all)('$name has no import cycle between files', (workspace) => {
    expect(findCycle(fileGraph(workspace))).toEqual([]);
  });

  it.each(all.filter(({ name }) => LAYERED.includes(name)))(
    '$name has no import cycle between folders',
    (workspace) => {
      // The type of the context is what use cases of every folder take. Biome rejects cycles between files.
      const imports = workspace.imports.filter(
        ({ isTest, specifier }) => !isTest && !specifier.endsWith('/context.ts'),
      );
      expect(findCycle(folderGraph(fileGraph({ ...workspace, imports })))).toEqual([]);
    },
  );

  it.each(Object.entries(ONLY_IMPORTER))('%s is imported only by %j', (library, importers) => {
    const wrong = all
      .filter(({ name }) => !importers.includes(name))
      .flatMap(({ imports }) => imports)
      .filter(({ specifier, isTest }) => !isTest && (specifier === library || specifier.startsWith(library)));
    expect(wrong).toEqual([]);
  });

  it('embedded-mongodb exposes only its index', () => {
    const wrong = all
      .flatMap(({ imports }) => imports)
      .filter(({ specifier }) => specifier.startsWith('@tollgate/embedded-mongodb/'));
    expect(wrong).toEqual([]);
  });

  it('the import rules only readers of requests and of own data are closed', () => {
    const closed = all
      .flatMap(({ imports }) => imports)
      .filter(({ specifier, isTest }) => specifier === 'typebox/compile' && !isTest)
      .map(({ file }) => file);
    expect([...new Set(closed)].sort()).toEqual(CLOSED_READERS);
  });

  it('every HTTP listener keeps idle connections for the same time, which is longer than load balancers do', () => {
    const listeners = all
      .filter(({ name }) => !TEST_LIBRARIES_ALONE.includes(name))
      .flatMap(({ folder }) => sourceFiles(folder))
      .filter((file) => !isTestFile(file) && startsListener(readFileSync(file, 'utf8')));
    expect(listeners.length).toBeGreaterThanOrEqual(8);
    const others = listeners.filter(
      (file) => !readFileSync(file, 'utf8').includes('keepAliveTimeout: KEEP_ALIVE_MS'),
    );
    expect(others.map((file) => relative(ROOT, file))).toEqual([]);
  });

  it('every schema with an outbox keeps empty objects, because the entries in it are signed', () => {
    const schemas = all
      .flatMap(({ folder }) => sourceFiles(folder))
      .map((file) => ({ file: relative(ROOT, file), source: readFileSync(file, 'utf8') }))
      .filter(({ source }) => source.includes('new Schema') && WITH_OUTBOX.test(source));
    expect(schemas.length).toBeGreaterThanOrEqual(10);
    const others = schemas.filter(({ source }) => !KEEPS_EMPTY_OBJECTS.test(source));
    expect(others.map(({ file }) => file)).toEqual([]);
  });

  it('the test detects imports', () => {
    const gateway = all.find(({ name }) => name === 'gateway');
    expect(gateway?.imports.some(({ specifier }) => specifier.startsWith('@tollgate/contracts/'))).toBe(true);
  });

  it('the test sees imports of the dashboard by alias', () => {
    const dashboard = all.find(({ name }) => name === 'dashboard');
    const imported = [...fileGraph(dashboard as (typeof all)[number]).values()].flat();
    expect(imported).toContain('dashboard/src/lib/components/Card.svelte');
  });

  it('the test detects cycles', () => {
    const imports = ['a.ts imports ./b/b.ts', 'b/b.ts imports ./c.ts', 'b/c.ts imports ../a.ts'].map(
      (line) => {
        const [file, specifier] = line.split(' imports ') as [string, string];
        return { file, specifier, isTest: false };
      },
    );
    const files = fileGraph({ name: 'example', folder: ROOT, imports });
    expect(findCycle(files)).toEqual(['a.ts', 'b/b.ts', 'b/c.ts', 'a.ts']);
    expect(findCycle(folderGraph(files))).toEqual(['.', 'b', '.']);
  });
});

describe('ARCHITECTURE.md', () => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const paths = [...text.matchAll(/^### (.+)\n\n((?:.+\n)+)/gm)].map(([, name = '', steps = '']) => ({
    name,
    steps: steps.split(/^\d\. /m).slice(1),
  }));
  const [, table = ''] = text.split('\n|---|---|\n');
  const rows = table.trim().split('\n');

  it('ARCHITECTURE.md fits on one page', () => {
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(900);
  });

  it('ARCHITECTURE.md has five paths of at most six steps', () => {
    expect(paths.map(({ steps }) => steps.length <= 6)).toEqual([true, true, true, true, true]);
  });

  it.each(paths)('ARCHITECTURE.md names the file of each step: $name', ({ steps }) => {
    for (const step of steps) expect(filesNamedBy(step).filter(isFile), step).not.toEqual([]);
  });

  it.each(rows)('ARCHITECTURE.md names the file of a behavior: %s', (row) => {
    expect(filesNamedBy(row).filter(isFile)).not.toEqual([]);
  });
});

function filesNamedBy(markdown: string): string[] {
  return [...markdown.matchAll(/\]\(([^)]+\.ts)\)/g)].map(([, path = '']) => path);
}

function isFile(path: string): boolean {
  return existsSync(join(ROOT, path));
}
