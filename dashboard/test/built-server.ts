import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findFreePorts } from '@tollgate/local-servers/free-ports';

const MAIN = fileURLToPath(new URL('../src/server/main.ts', import.meta.url));

export interface Response {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface BuiltServer {
  port: number;
  opsUrl: string;
  /** Log lines so far. */
  log: string[];
  /** Sends one request to 127.0.0.1 with exactly these headers: fetch would set Host and Origin itself. */
  ask(
    path: string,
    options?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<Response>;
  /** Resolves with the exit code once the last log line has been read. */
  stop(): Promise<number | null>;
}

/** Starts the dashboard as in production: the built server, in a separate process. */
export async function startBuiltServer(env: Record<string, string> = {}): Promise<BuiltServer> {
  const [port, opsPort, unusedPort] = (await findFreePorts(3)) as [number, number, number];
  const log: string[] = [];
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      OPS_PORT: String(opsPort),
      DASHBOARD_URL: `http://localhost:${port}`,
      // These tests need no admin API.
      ADMIN_API_URL: `http://127.0.0.1:${unusedPort}`,
      SESSION_COOKIE_KEYS: `1:${randomBytes(32).toString('base64')}`,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines = createInterface({ input: child.stdout });
  // The process may have exited while its last lines are still being read.
  const ended = Promise.all([once(child, 'close'), once(lines, 'close')]);
  await listening(child, lines, log);
  return {
    port,
    opsUrl: `http://127.0.0.1:${opsPort}`,
    log,
    ask: (path, options) => ask(port, path, options),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}

function listening(child: ChildProcess, lines: Interface, log: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.once('close', (code) =>
      reject(new Error(`The dashboard ended with ${code}:\n${log.join('\n')}${said}`)),
    );
    lines.on('line', (line) => {
      log.push(line);
      if (line.includes('the dashboard is listening')) resolve();
    });
  });
}

function ask(
  port: number,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method, headers: { accept: 'text/html', ...headers }, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        );
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
