import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const CLI = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url));

/** What `tollgate processor test --json` prints. */
interface Report {
  conforms: boolean;
  results: { check: string; outcome: string }[];
}

/** Runs `tollgate processor test` against an adapter. */
export async function testAdapter(
  url: string,
  { secret, port, scenarios }: { secret: string; port: number; scenarios: object },
): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'adapter-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'scenarios.json');
  writeFileSync(file, JSON.stringify(scenarios));
  const args = [
    CLI,
    'processor',
    'test',
    url,
    '--scenarios',
    file,
    '--callback-port',
    String(port),
    '--json',
  ];
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      args,
      { env: { ...process.env, TOLLGATE_SECRETS: secret } },
      (error, stdout, stderr) => {
        if (stdout) resolve(JSON.parse(stdout));
        else reject(new Error(stderr, { cause: error }));
      },
    );
  });
}

/** The adapter must know the address of callbacks before the suite listens there. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
