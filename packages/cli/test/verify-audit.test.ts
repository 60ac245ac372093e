import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, it } from 'vitest';
import { runCommand } from '../src/run-command.ts';
import { sampleExport } from './sample-export.ts';
import { testTerminal } from './support/test-terminal.ts';

const SAMPLE = sampleExport();
const folder = mkdtempSync(join(tmpdir(), 'verify-audit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const EXPORT = file('export.ndjson', SAMPLE.text);
const TAMPERED = file('tampered.ndjson', tampered('192.0.2.8'));
const KEY = file('audit.pem', SAMPLE.key.public_key);

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** The export with a different IP address in its middle record. */
function tampered(ip: string): string {
  const { id } = SAMPLE.record;
  return SAMPLE.text
    .split('\n')
    .map((line) => (line.includes(id) ? line.replace('192.0.2.7', ip) : line))
    .join('\n');
}

async function tollgate(args: string[], input = ''): Promise<{ code: number; out: string; err: string }> {
  const terminal = testTerminal({ input: Readable.from([Buffer.from(input)]) });
  const code = await runCommand(args, terminal);
  return { code, out: terminal.printed.join('\n'), err: terminal.errors.join('\n') };
}

function verify(path: string, ...options: string[]) {
  return tollgate(['verify-audit', path, '--public-key', KEY, ...options]);
}

it('tollgate verify-audit exits with 0 for an intact export, and reports what was checked', async () => {
  const { code, out, err } = await verify(EXPORT);
  expect(err).toBe('');
  expect(out).toMatch(/records +5, starting at record 1/);
  expect(out).toMatch(/heads +1, up to tree head 1 of 2026-03-01/);
  expect(out).toMatch(/\nINTACT: /);
  expect(code).toBe(0);
});

it('tollgate verify-audit exits with 1 for a tampered export, and reports the record', async () => {
  const { code, out } = await verify(TAMPERED);
  const { id } = SAMPLE.record;
  expect(out.split('\n')[0]).toBe(
    `record-changed: record 3, ${id}: The record differs from the one that the service wrote.`,
  );
  expect(out).toMatch(/\nTAMPERED: 1 finding\.$/);
  expect(code).toBe(1);
});

it('tollgate verify-audit reads an export from standard input', async () => {
  const args = ['verify-audit', '-', '--public-key', KEY];
  expect(await tollgate(args, SAMPLE.text)).toMatchObject({ code: 0 });
  expect(await tollgate(args, tampered('10.0.0.1'))).toMatchObject({ code: 1 });
  expect(await tollgate(args, '')).toMatchObject({ code: 1 });
});

it.each([
  ['PEM itself', SAMPLE.key.public_key],
  ['the response of the API', file('keys.json', JSON.stringify({ data: [SAMPLE.key] }))],
  ['a file with several keys', file('all.pem', `${sampleExport().key.public_key}\n${SAMPLE.key.public_key}`)],
])('tollgate verify-audit accepts the key from %s', async (_, key) => {
  expect(await tollgate(['verify-audit', EXPORT, '--public-key', key])).toMatchObject({ code: 0 });
});

it('tollgate verify-audit does not report an export as intact with the key of another service', async () => {
  const other = file('other.pem', sampleExport().key.public_key);
  expect(await tollgate(['verify-audit', EXPORT, '--public-key', other])).toMatchObject({ code: 1 });
});

it('tollgate verify-audit trusts the keys in the export only on request, and explains what the result is worth', async () => {
  const { code, out } = await tollgate(['verify-audit', EXPORT, '--trust-export-keys']);
  expect(out).toContain('proves only that the export is consistent');
  expect(code).toBe(0);
});

it('tollgate verify-audit compares the export with what a witness saw', async () => {
  const agrees = file('agrees.log', `{"msg":"listening"}\n${JSON.stringify({ head: SAMPLE.head })}\n`);
  expect((await verify(EXPORT, '--witness', agrees)).out).toMatch(
    /witness +1 tree heads seen, 1 of them in the export/,
  );

  const other = { ...SAMPLE.head, root: '0'.repeat(64) };
  const differs = file('differs.log', JSON.stringify(other));
  const { code, out } = await verify(EXPORT, '--witness', differs);
  expect(out).toContain('witness-differs: head 1: ');
  expect(code).toBe(1);
});

it('tollgate verify-audit does not exit with 0 when the witness had nothing to compare', async () => {
  const { code, err } = await verify(EXPORT, '--witness', file('empty.log', '{"msg":"listening"}\n'));
  expect(err).toContain('no tree heads of this team');
  expect(code).toBe(2);
});

it('tollgate verify-audit escapes control characters of the export in its output', async () => {
  const id = `${SAMPLE.record.id.slice(0, -3)}`;
  const text = SAMPLE.text.replace(SAMPLE.record.id, `${id}\\u001b[2J`);
  const { code, out } = await tollgate(['verify-audit', '-', '--public-key', KEY], text);
  expect(out).toContain(`${id}\\u{1b}[2J`);
  expect(out).not.toContain('\u001b');
  expect(code).toBe(1);
});

it.each([
  ['no key', ['verify-audit', EXPORT], 'Pass the public key of the service with --public-key'],
  ['no export', ['verify-audit', '--public-key', KEY], 'Pass one export'],
  ['two exports', ['verify-audit', EXPORT, EXPORT, '--public-key', KEY], 'Pass one export'],
  ['an option that does not exist', ['verify-audit', EXPORT, '--fast'], "Unknown option '--fast'"],
  ['a file that is missing', ['verify-audit', 'gone.ndjson', '--public-key', KEY], 'gone.ndjson'],
  ['a key that is missing', ['verify-audit', EXPORT, '--public-key', 'gone.pem'], 'gone.pem'],
  [
    'a private key',
    ['verify-audit', EXPORT, '--public-key', file('private.pem', SAMPLE.privateKeyPem)],
    'this is a private key',
  ],
  ['a file that is no key', ['verify-audit', EXPORT, '--public-key', EXPORT], 'not a list of public keys'],
  ['a command that does not exist', ['verify'], 'Unknown command "verify"'],
])('tollgate verify-audit exits with 2 for %s, and says what to do', async (_, args, message) => {
  const { code, err } = await tollgate(args);
  expect(err).toContain(message);
  expect(err).not.toContain('    at ');
  expect(code).toBe(2);
});
