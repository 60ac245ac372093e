import { readdirSync, readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/**
 * Prints the size (gzip) of the JavaScript that a browser loads before each page is interactive: SvelteKit's entry
 * points, and the static imports of the page and its layouts. Fails when a page or the fonts exceed their limit, when files
 * import each other, or when a file would read SvelteKit's payload before it is set.
 */
const MAX_GZIP_BYTES = 92 * 1000;
/** The fonts together: every page loads them. */
const MAX_FONT_BYTES = 60 * 1000;
const BUILD = new URL('../.svelte-kit/', import.meta.url);
const CLIENT = new URL('output/client/', BUILD);

interface Chunk {
  file: string;
  /** Name of the group in `vite.config.ts`, or of the entry. */
  name?: string;
  imports?: string[];
}

interface ServerManifest {
  client: { imports: string[] };
  routes: { id: string; page: { layouts: (number | undefined)[]; leaf: number } | null }[];
}

const chunks = JSON.parse(readFileSync(new URL('.vite/manifest.json', CLIENT), 'utf8')) as Record<
  string,
  Chunk
>;
const { manifest } = (await import(new URL('output/server/manifest-full.js', BUILD).href)) as {
  manifest: ServerManifest;
};
const { client, routes } = manifest;

const sizes = new Map<string, number>();
function gzipBytes(file: string): number {
  const known = sizes.get(file);
  if (known !== undefined) return known;
  const size = gzipSync(readFileSync(new URL(file, CLIENT))).length;
  sizes.set(file, size);
  return size;
}

/** The file of a chunk and of its static imports. */
function filesOf(key: string, found = new Set<string>()): Set<string> {
  const chunk = chunks[key];
  if (chunk === undefined) throw new Error(`${key} is not in the manifest: has SvelteKit moved its nodes?`);
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const imported of chunk.imports ?? []) filesOf(imported, found);
  return found;
}

/** Two files that import each other run in an order that depends on which one a page names first. */
function requireNoCycle(key: string, path: readonly string[] = []): void {
  if (path.includes(key)) throw new Error(`Files import each other: ${[...path, key].join(' → ')}`);
  if (ordered.has(key)) return;
  for (const imported of chunks[key]?.imports ?? []) requireNoCycle(imported, [...path, key]);
  ordered.add(key);
}

const ordered = new Set<string>();
for (const key of Object.keys(chunks)) requireNoCycle(key);

/** A page that reads its payload too early has no version: it takes every response for one of a newer build, and loads anew. */
function requirePayloadFirst(): void {
  const entry = Object.values(chunks).find(({ file }) => file.includes('/entry/start.'));
  if (entry === undefined) throw new Error('The build has no entry: has SvelteKit renamed it?');
  const payload = (entry.imports ?? []).map((key) => chunks[key]);
  if (payload.length !== 1 || payload[0]?.name !== 'payload' || payload[0].imports !== undefined)
    throw new Error(`Files load before the payload is set: ${entry.imports?.join(', ')}`);
}
requirePayloadFirst();

function pageBytes(nodes: number[]): number {
  const files = new Set(client.imports);
  for (const node of nodes) {
    for (const file of filesOf(`.svelte-kit/generated/build/client-optimized/nodes/${node}.js`))
      files.add(file);
  }
  return [...files].filter((file) => file.endsWith('.js')).reduce((sum, file) => sum + gzipBytes(file), 0);
}

const pages = routes
  .flatMap(({ id, page }) => (page ? [{ id, nodes: [...page.layouts, page.leaf] }] : []))
  .map(({ id, nodes }) => ({ page: id, bytes: pageBytes(nodes.filter((node) => node !== undefined)) }))
  .sort((one, other) => other.bytes - one.bytes);
if (pages.length === 0) throw new Error('There are no pages in the build.');

console.table(pages.map(({ page, bytes }) => ({ page, 'kB gzip': Math.round(bytes / 100) / 10 })));
const tooLarge = pages.filter(({ bytes }) => bytes > MAX_GZIP_BYTES);
if (tooLarge.length > 0) {
  const names = tooLarge.map(({ page }) => page).join(', ');
  throw new Error(`More than ${MAX_GZIP_BYTES / 1000} kB of JavaScript: ${names}`);
}

const fontBytes = readdirSync(CLIENT, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(woff2?|ttf|otf)$/.test(file))
  .reduce((sum, file) => sum + statSync(new URL(file, CLIENT)).size, 0);
console.table([{ fonts: fontBytes }]);
if (fontBytes > MAX_FONT_BYTES) throw new Error(`More than ${MAX_FONT_BYTES / 1000} kB of fonts`);
