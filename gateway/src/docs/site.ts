import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { siteContentSecurityPolicy } from './content-security-policy.ts';

/** A file of the site, ready to be sent. */
export interface SiteFile {
  headers: Record<string, string>;
  body: Buffer;
  /** Null for types that are compressed already. */
  gzipped: Buffer | null;
}

export interface Site {
  /**
   * @param path below `/docs/`, without `.html`; empty for the home page
   * @returns null for a path without a file. Rejects with SiteNotBuiltError.
   */
  find(path: string): Promise<SiteFile | null>;
}

type SiteConfig = Record<'docsBaseUrl' | 'liveApiUrl' | 'sandboxApiUrl' | 'adminApiUrl', string>;

export class SiteNotBuiltError extends Error {}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};
/** Long enough to save requests while reading, short enough for updates to show. */
const FOR_5_MINUTES = 'public, max-age=300';
const FOR_A_YEAR = 'public, max-age=31536000, immutable';
/** It explains `npm start`, whose addresses are the default ones. */
const KEEPS_ADDRESSES = /quickstart/;

const compress = promisify(gzip);

/** The addresses that the pages contain, those of a gateway with default settings, and those of this installation. */
export function siteAddresses(config: SiteConfig): ReadonlyMap<string, string> {
  return new Map([
    // Before the live address, which it starts with.
    ['http://localhost:8080/docs', config.docsBaseUrl],
    ['http://localhost:8080', config.liveApiUrl],
    ['http://localhost:8081', config.sandboxApiUrl],
    ['http://localhost:8082', config.adminApiUrl],
  ]);
}

/** The files of one build. */
interface Build {
  /** Identifies the folder, which the next build replaces. */
  identity: string;
  /** The files by their path in URLs. Only these can be read, so that no path leads out of the folder. */
  files: ReadonlyMap<string, string>;
  loaded: Map<string, Promise<SiteFile>>;
}

/**
 * The documentation as `packages/docs-site` builds it. Each file is read once, and gets the addresses of this
 * installation.
 * @param addresses what replaces each address of the pages
 */
export function createSite(folder: string, addresses: ReadonlyMap<string, string>): Site {
  let current: Build | null = null;

  /** `npm start` builds the site while the gateway runs, for the first time or again. */
  async function currentBuild(): Promise<Build> {
    const identity = await identityOf(folder);
    if (current?.identity !== identity) {
      current = { identity, files: await listFiles(folder), loaded: new Map() };
    }
    return current;
  }

  return {
    async find(path) {
      const { files, loaded } = await currentBuild();
      const file = files.get(path);
      if (file === undefined) return null;
      const earlier = loaded.get(path);
      if (earlier) return earlier;
      const loading = loadFile(folder, file, addresses);
      loaded.set(path, loading);
      // So that the next request reads the file again.
      loading.catch(() => loaded.delete(path));
      return loading;
    },
  };
}

async function identityOf(folder: string): Promise<string> {
  const found = await stat(folder, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new SiteNotBuiltError(`There is no documentation in ${folder}.`);
    throw error;
  });
  return `${found.ino}:${found.mtimeNs}`;
}

async function listFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
  return new Map(files.map((file) => [pathInUrls(file), file]));
}

function pathInUrls(file: string): string {
  const path = file.replace(/\.html$/, '');
  return path === 'index' ? '' : path;
}

async function loadFile(
  folder: string,
  file: string,
  addresses: ReadonlyMap<string, string>,
): Promise<SiteFile> {
  const extension = extname(file);
  const original = await readFile(join(folder, file));
  const originalText = original.toString('utf8');
  const text = KEEPS_ADDRESSES.test(file) ? originalText : withAddresses(originalText, addresses);
  const body = extension in TYPES ? Buffer.from(text) : original;
  // The name of an asset contains a hash of its content, unless this installation changed it.
  const isImmutable = file.startsWith('assets/') && body.equals(original);
  return {
    headers: {
      'content-type': TYPES[extension] ?? 'application/octet-stream',
      'cache-control': isImmutable ? FOR_A_YEAR : FOR_5_MINUTES,
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`,
      'referrer-policy': 'no-referrer',
      ...(extension === '.html' && { 'content-security-policy': siteContentSecurityPolicy(text) }),
    },
    body,
    gzipped: extension in TYPES ? await compress(body) : null,
  };
}

function withAddresses(text: string, addresses: ReadonlyMap<string, string>): string {
  const known = new RegExp([...addresses.keys()].map((address) => RegExp.escape(address)).join('|'), 'g');
  return text.replaceAll(known, (address) => addresses.get(address) ?? address);
}
