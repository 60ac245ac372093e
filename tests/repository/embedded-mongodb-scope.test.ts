import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGE = 'packages/embedded-mongodb';
/** The package itself, what never speaks to MongoDB, and tests of commands that are denied. */
const NOT_SEARCHED =
  /^(?:packages\/(?:embedded-mongodb|sdk|docs-site)|sdks|dashboard|gateway|tests\/(?:repository|system\/attacks))\//;

/**
 * Kept although the platform does not use it, for people who look at data, counts, and indexes with mongosh or Compass.
 * Everything else that the platform does not use is rejected.
 */
const KEPT: Record<string, Record<string, string>> = {
  commands: {
    connectionStatus: 'Compass reads the privileges of the user when it connects',
    drop: 'mongosh and Compass drop a collection',
    getLog: 'mongosh reads the startup warnings when it connects',
    hostInfo: 'Compass describes the host when it connects',
    validate: 'the kill, corruption and fuzz programs compare the indexes with the documents',
  },
  'filter operators': {
    $elemMatch: 'a person filters by several fields of one element of an array, which no other operator does',
    $eq: 'a person filters by the written form of a condition',
  },
  'pipeline stages': {
    $addFields: 'Compass shows the statistics of a collection',
    $collStats: 'mongosh and Compass show the statistics of a collection and the sizes of its indexes',
    $indexStats: 'Compass shows how often each index is used',
    $limit: 'the driver sends it to count documents up to a limit',
    $project: 'a person selects fields of groups',
    $sample: 'Compass samples documents for the schema',
    $skip: 'mongosh and Compass count and page through documents',
    $sort: 'a person sorts groups',
    $unwind: 'Compass shows the sizes of the indexes',
  },
  accumulators: {
    $first: 'Compass shows the statistics of a collection',
    $max: 'Compass shows the statistics of a collection',
    $min: 'a person looks for the least value of a group',
  },
  expressions: {
    $and: 'Compass shows the indexes that are being built',
    $divide: 'Compass shows the statistics of a collection',
    $gt: 'Compass shows the indexes that are being built',
    $multiply: 'Compass shows the statistics of a collection',
    $ne: 'Compass shows the statistics of a collection',
    $objectToArray: 'Compass shows the sizes of the indexes',
    $toDouble: 'Compass shows the statistics of a collection',
    $type: 'Compass shows the indexes that are being built',
  },
};

/** Commands that the driver sends itself. No code names them. */
const SENT_BY_DRIVER: Record<string, string> = {
  endSessions: 'when a client is closed',
  getMore: 'for each further batch of a cursor',
  hello: 'when it connects, and to monitor the server',
  killCursors: 'when a cursor is closed before its end',
  saslContinue: 'when it authenticates',
  saslStart: 'when it authenticates',
};

/** How code uses a command: by a method of the driver, or by its name. */
const USES_OF_COMMANDS: Record<string, RegExp> = {
  aggregate: /\.(?:aggregate|countDocuments)\b/,
  buildInfo: /'buildInfo'/,
  connectionStatus: /\bconnectionStatus: 1/,
  count: /\.estimatedDocumentCount\(|\bcount: '/,
  create: /\.createCollection\(/,
  createIndexes: /\bcreateIndexes:/,
  dbStats: /\.db\([^)]*\)\.stats\(\)/,
  delete: /\.delete(?:One|Many)\(/,
  distinct: /\.distinct\(/,
  drop: /\.drop\(\)|\.dropCollection\(/,
  dropDatabase: /\.dropDatabase\(/,
  dropIndexes: /\.dropIndex(?:es)?\(/,
  explain: /\.explain\(|\bexplain: /,
  find: /\.find(?:One)?\(/,
  findAndModify: /\.findOneAnd(?:Update|Delete|Replace)\(/,
  getLog: /\bgetLog: /,
  hostInfo: /\bhostInfo: 1/,
  insert: /\.insert(?:One|Many)\(/,
  listCollections: /\.listCollections\(/,
  listDatabases: /\.listDatabases\(/,
  listIndexes: /\blistIndexes:|\.listIndexes\(/,
  ping: /\bping: 1/,
  serverStatus: /\bserverStatus: 1/,
  update: /\.(?:update(?:One|Many)|bulkWrite)\(/,
  validate: /\bvalidate: '/,
};

/** A name that several registries have: what follows its first use, or precedes it, tells which one is meant. */
const USES_OF_SHARED_NAMES: Record<string, Record<string, (name: string) => RegExp>> = {
  'filter operators': { '*': (name) => new RegExp(`\\${name}'?: (?!\\[)`), $and: anyUse },
  'update modifiers': { '*': (name) => new RegExp(`\\${name}'?:(?! ')`) },
  'pipeline stages': { '*': (name) => new RegExp(`\\[\\s*\\{ \\${name}:`) },
  accumulators: { '*': (name) => new RegExp(`\\${name}: '\\$`) },
  expressions: { '*': (name) => new RegExp(`\\${name}: \\[`), $and: () => /(?!)/ },
};

/** What `$push` and `hint` have besides operators. */
const CLAUSES = ['$each', '$slice', '$natural'];

function anyUse(name: string): RegExp {
  return new RegExp(`\\${name}\\b'?:`);
}

/** The rows of the scope table of the README, which the package generates from its registries. */
function registered(): Map<string, string[]> {
  const readme = readFileSync(join(ROOT, PACKAGE, 'README.md'), 'utf8');
  const rows = readme.matchAll(/^\| ([a-z ]+) \| ((?:`[$\w]+` ?)+) \|$/gm);
  return new Map([...rows].map(([, heading = '', names = '']) => [heading, names.match(/[$\w]+/g) ?? []]));
}

function sourcesOf(isSearched: (file: string) => boolean): string {
  const files = execFileSync('git', ['ls-files', '*.ts'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  return files
    .filter((file) => file !== '' && isSearched(file))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n');
}

describe('embedded-mongodb', () => {
  const registries = registered();
  const sources = sourcesOf((file) => !NOT_SEARCHED.test(file));
  const isShared = (name: string) =>
    [...registries.values()].filter((names) => names.includes(name)).length > 1;

  /**
   * Whether code names it. What mongoose and the driver make of that code is not searched: a suite fails if the server
   * rejects it.
   */
  function isUsed(heading: string, name: string): boolean {
    if (heading === 'commands')
      return Object.hasOwn(SENT_BY_DRIVER, name) || (USES_OF_COMMANDS[name]?.test(sources) ?? false);
    const uses = USES_OF_SHARED_NAMES[heading] ?? {};
    const use = isShared(name) ? (uses[name] ?? uses['*'] ?? anyUse) : anyUse;
    return use(name).test(sources);
  }

  it('states its scope in its README', () => {
    expect([...registries.keys()]).toEqual([
      'commands',
      'filter operators',
      'update modifiers',
      'pipeline stages',
      'accumulators',
      'expressions',
    ]);
  });

  it.each([...registries])(
    'supports exactly the %s that the platform uses, and those kept for tools',
    (heading, names) => {
      const unused = names.filter((name) => !isUsed(heading, name));
      expect(unused.sort(), 'reject these, or give the reason in KEPT').toEqual(
        Object.keys(KEPT[heading] ?? {}).sort(),
      );
    },
  );

  it('supports every operator in the queries of services and of the store', () => {
    const queries = sourcesOf((file) => /^(?:services\/\w+|packages\/(?:store|service))\/src\//.test(file));
    const supported = [...registries.values(), CLAUSES].flat();
    const used = new Set([...queries.matchAll(/[{ ](\$[a-zA-Z]+): /g)].map(([, name = '']) => name));
    expect([...used].filter((name) => !supported.includes(name))).toEqual([]);
  });
});
