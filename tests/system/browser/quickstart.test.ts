import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePorts } from '@tollgate/local-servers/free-ports';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, openVisitor } from '../../support/browser/browser.ts';
import { codeBlocksOf } from '../../support/platform/code-blocks.ts';
import { comparable } from '../../support/platform/transcript.ts';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
const FIVE_MINUTES_MS = 5 * 60_000;
const WITHIN = { timeoutMs: 90_000 };

const blocks = codeBlocksOf('quickstart/README');
/** The commands of the page, in order. */
const [start, login, receive, forward, pay, tail, fail] = blocks
  .filter(({ language }) => language === 'sh')
  .map(({ code }) => code) as [string, string, string, string, string, string, string];
/** What the page says that terminals show, without what differs between readers. */
const [signedIn, received, failed] = blocks
  .filter(({ language }) => language === '')
  .map(({ code }) => comparable(code)) as [string, string, string];

interface Terminal {
  output(): string;
  /** Waits until the terminal shows this, and returns the match. */
  shows(text: RegExp): Promise<RegExpExecArray>;
  ended: Promise<unknown>;
}

describeInBrowser('the quickstart', () => {
  const terminals: ChildProcess[] = [];
  let folder: string;
  let env: NodeJS.ProcessEnv;
  /** The addresses of the page, on ports that are free here. */
  let onFreePorts: (text: string) => string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-quickstart-'));
    const ports = await findFreePorts(5);
    const [live, sandbox, admin, dashboard, receiver] = ports.map(String) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const replaced: Record<string, string> = { 3000: dashboard, 4000: receiver, 8081: sandbox };
    onFreePorts = (text) =>
      text
        .replaceAll(/localhost:(\d+)/g, (_, port) => `localhost:${replaced[port]}`)
        .replaceAll('./.tollgate', join(folder, 'data'));
    env = {
      ...process.env,
      TOLLGATE_DATA_DIR: join(folder, 'data'),
      TOLLGATE_CONFIG_DIR: join(folder, 'config'),
      LIVE_PORT: live,
      SANDBOX_PORT: sandbox,
      ADMIN_PORT: admin,
      DASHBOARD_PORT: dashboard,
      PORT: receiver,
    };
  });
  afterAll(async () => {
    for (const terminal of terminals.reverse()) {
      const exited =
        terminal.exitCode === null && terminal.signalCode === null ? once(terminal, 'exit') : null;
      // The whole group: npm does not pass every signal on.
      if (exited) process.kill(-(terminal.pid as number), 'SIGTERM');
      await exited;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  /** Pastes the commands into a new terminal. */
  function paste(commands: string): Terminal {
    const shell = spawn('sh', ['-c', onFreePorts(commands)], {
      cwd: CHECKOUT,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    terminals.push(shell);
    let output = '';
    for (const stream of [shell.stdout, shell.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const shows = async (text: RegExp) => {
      await eventually(`the terminal shows ${text}`, () => text.test(output), WITHIN).catch((error) => {
        throw new Error(`${(error as Error).message}\n${output}`);
      });
      return text.exec(output) as RegExpExecArray;
    };
    return { output: () => output, shows, ended: once(shell, 'close') };
  }

  async function approve(address: string, password: string): Promise<void> {
    const { page, close } = await openVisitor({ dashboardUrl: new URL(address).origin });
    await page.goto(address);
    await page.getByLabel('Email').fill('owner@tollgate.local');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Approve login' }).click();
    await page.getByRole('heading', { name: 'Login approved' }).waitFor();
    await close();
  }

  test(
    'the quickstart leads from the first start to a verified webhook and an explained error within five minutes',
    async () => {
      const startedMs = performance.now();
      const platform = paste(start);
      const [, password] = await platform.shows(/password {2}(\S+)/);
      await platform.shows(/Press Ctrl\+C to stop/);

      const signingIn = paste(login);
      const [, address] = await signingIn.shows(/Open (\S+)/);
      await approve(address as string, password as string);
      await signingIn.shows(/Signed in to .+\n/);
      expect(comparable(signingIn.output())).toBe(signedIn);

      const receiver = paste(receive);
      await receiver.shows(/Listening on/);
      const listening = paste(forward);
      await listening.shows(/Ready\./);

      const payment = paste(pay);
      await payment.ended;
      const { id } = JSON.parse(payment.output());
      for (const status of ['pending', 'processing', 'succeeded'])
        await receiver.shows(new RegExp(`payment\\.\\w+: ${id} is ${status}\\n`));
      expect(comparable(receiver.output())).toContain(received);

      const requests = paste(tail);
      await requests.shows(/appear here/);
      const failing = paste(fail);
      await failing.ended;
      const problem = JSON.parse(failing.output());
      await requests.shows(
        new RegExp(`400  create_payment  \\d+ ms  ${problem.code}  ${problem.request_id}\\n`),
      );
      expect(comparable(requests.output())).toContain(failed);
      // The documentation is built in the background of the first start, after the first payments.
      const isServed = async () => (await fetch(problem.type)).status === 200;
      await eventually('the page of the error is served', isServed, WITHIN);

      const tookMs = performance.now() - startedMs;
      process.stdout.write(
        `measured: the quickstart took ${Math.round(tookMs / 1_000)} s after installation\n`,
      );
      expect(tookMs).toBeLessThan(FIVE_MINUTES_MS);
    },
    FIVE_MINUTES_MS,
  );
});
