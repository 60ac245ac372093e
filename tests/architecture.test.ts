import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The workspace packages that each package may import at run time (ARCHITECTURE.md). A package that is missing here
 * fails the test.
 */
const MAY_IMPORT: Record<string, string[]> = {
  contracts: [],
  bus: ['contracts'],
  http: ['contracts'],
  runtime: ['http'],
  security: ['contracts', 'runtime'],
  store: ['contracts', 'runtime'],
  service: ['contracts', 'bus', 'runtime', 'security', 'store'],
  'audit-log': ['contracts'],
  cli: ['contracts', 'audit-log'],
  'embedded-mongodb': [],
  gateway: ['contracts', 'bus', 'http', 'runtime', 'security'],
  accounts: ['contracts', 'bus', 'runtime', 'security', 'store', 'service'],
  applications: ['contracts', 'bus', 'runtime', 'security', 'store', 'service'],
  payments: ['contracts', 'bus', 'http', 'runtime', 'security', 'store', 'service'],
  webhooks: ['contracts', 'bus', 'runtime', 'security', 'store', 'service'],
  usage: ['contracts', 'bus', 'runtime', 'security', 'store', 'service'],
  audit: ['contracts', 'bus', 'runtime', 'security', 'store', 'service', 'audit-log'],
  dashboard: ['contracts', 'runtime', 'security'],
  'local-servers': [],
  launcher: ['contracts', 'bus', 'runtime', 'security', 'local-servers'],
  'prose-lint': [],
  'test-kit': ['local-servers'],
  tests: ['contracts', 'bus', 'runtime', 'security', 'audit-log', 'local-servers', 'launcher', 'test-kit'],
};

/** Only these packages import these libraries, so that the rest of the platform does not depend on their details. */
const ONLY_IMPORTER: Record<string, string[]> = {
  '@nats-io/': ['bus'],
  mongoose: ['store', 'service', 'accounts', 'applications', 'payments', 'webhooks', 'usage', 'audit'],
  // One logger, which redacts credentials, and one graceful stop for every process. The gateway's use is a destination.
  pino: ['runtime', 'gateway'],
  'close-with-grace': ['runtime'],
  // The embedded server is tested and measured with the official driver.
  mongodb: ['test-kit', 'embedded-mongodb'],
  // runtime uses it as a lock that the operating system releases.
  'node:sqlite': ['embedded-mongodb', 'runtime'],
  mingo: ['embedded-mongodb'],
};

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
      isTest: /\.test\.ts$|\/(test|bench)\//.test(file),
    }));
  });
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|mjs|js|svelte)$/.test(path) && !/(^|\/)(node_modules\/|dist\/|\.)/.test(path))
    .map((path) => join(folder, path));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

const all = workspaces().map((workspace) => ({ ...workspace, imports: importsOf(workspace) }));

describe('the import rules', () => {
  it.each(all)('$name imports only the workspace packages it may', ({ name, imports }) => {
    const allowed = MAY_IMPORT[name];
    expect(allowed, `${name} is not in the table of this test: decide what it may import`).toBeDefined();
    const wrong = imports.filter(({ specifier, isTest }) => {
      const target = /^@tollgate\/([^/]+)/.exec(specifier)?.[1];
      if (target === undefined || target === name) return false;
      return !(allowed?.includes(target) || (isTest && target === 'test-kit'));
    });
    expect(wrong).toEqual([]);
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

  it.each(Object.entries(ONLY_IMPORTER))('%s is imported only by %j', (library, importers) => {
    const wrong = all
      .filter(({ name }) => !importers.includes(name))
      .flatMap(({ imports }) => imports)
      .filter(({ specifier, isTest }) => !isTest && (specifier === library || specifier.startsWith(library)));
    expect(wrong).toEqual([]);
  });

  it('embedded-mongodb exposes only its start function', () => {
    const wrong = all
      .flatMap(({ imports }) => imports)
      .filter(({ specifier }) => specifier.startsWith('@tollgate/embedded-mongodb/'));
    expect(wrong).toEqual([]);
  });

  it('the test detects imports', () => {
    const gateway = all.find(({ name }) => name === 'gateway');
    expect(gateway?.imports.some(({ specifier }) => specifier.startsWith('@tollgate/contracts/'))).toBe(true);
  });
});
