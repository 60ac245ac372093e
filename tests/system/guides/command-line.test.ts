import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { codeBlocksOf } from '../../support/platform/code-blocks.ts';
import { TOLLGATE } from '../../support/platform/run-tollgate.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';
import { comparable } from '../../support/platform/transcript.ts';
import { startWebhookReceiver } from '../../support/platform/webhook-receiver.ts';

const WITHIN = { timeoutMs: 60_000 };

const [login, listen, trigger, others] = codeBlocksOf('guides/use-the-command-line').map(
  ({ code }) => code,
) as [string, string, string, string];

const [
  create = '',
  createAndOpen = '',
  list = '',
  createKey = '',
  rotateKey = '',
  tailRequests = '',
  createEndpoint = '',
  resend = '',
  listDeliveries = '',
] = others.trim().split('\n');

let platform: SharedPlatform;
let team: TestTeam;
/** Where the commands run, and store their credentials. */
let folder: string;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  await platform.createApplication(team);
  folder = mkdtempSync(join(tmpdir(), 'tollgate-command-line-guide-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await platform?.leave();
});

interface Terminal {
  /** Standard output and error. */
  output(): string;
  shows(text: string | RegExp): Promise<void>;
  interrupt(): void;
  exitCode: Promise<number | null>;
}

/** Types a command into a new terminal. */
function type(command: string): Terminal {
  const here = command
    .replace('http://localhost:3000', platform.dashboardUrl)
    .replace(/^tollgate /, `exec "${process.execPath}" "${TOLLGATE}" `);
  const shell = spawn('sh', ['-c', here], {
    cwd: folder,
    env: { PATH: process.env['PATH'], TOLLGATE_CONFIG_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const closed = once(shell, 'close');
  onTestFinished(async () => {
    shell.kill('SIGKILL');
    await closed;
  });
  return {
    output: () => output,
    async shows(text) {
      const isShown = () => (typeof text === 'string' ? output.includes(text) : text.test(output));
      await eventually(`the terminal shows ${text}`, isShown, WITHIN).catch((error: Error) => {
        throw new Error(`${error.message}\n${output}`);
      });
    },
    interrupt: () => void shell.kill('SIGINT'),
    exitCode: closed.then(([code]) => code),
  };
}

async function outputOf(command: string): Promise<string> {
  const terminal = type(command);
  expect(await terminal.exitCode, terminal.output()).toBe(0);
  return terminal.output();
}

/** The command of a transcript, and what the terminal shows. */
function partsOf(transcript: string): { command: string; shown: string } {
  const [, command = '', shown = ''] = /^\$ (.+?)\n(.*)$/s.exec(transcript) ?? [];
  return { command, shown };
}

it('the guide to the command line shows what a login prints', async () => {
  const { command, shown } = partsOf(login);
  const terminal = type(command);
  await terminal.shows(/user_code=[A-Z-]+\n/);
  const [, user_code = ''] = /user_code=([A-Z-]+)/.exec(terminal.output()) ?? [];
  await platform.admin
    .as(team.owner.session)
    .call(ADMIN_ROUTES.approveDeviceAuthorization, { user_code, role: 'developer' });
  expect(await terminal.exitCode).toBe(0);
  expect(comparable(terminal.output())).toBe(comparable(shown));
});

it('the guide to the command line has commands for payments and keys that work', async () => {
  const [id = ''] = /pay_\w+/.exec(await outputOf(create)) ?? [];
  await eventually('the failed payment is listed', async () => (await outputOf(list)).includes(id), WITHIN);
  // A test must not open a browser.
  expect(await outputOf(createAndOpen.replace(' --open', ''))).toMatch(/next action +open http/);
  const [keyId = ''] = /key_\w+/.exec(await outputOf(createKey)) ?? [];
  expect(readFileSync(join(folder, 'key.txt'), 'utf8')).toMatch(/^tg_sandbox_\w+\n$/);
  expect(await outputOf(rotateKey.replace(/key_\w+/, keyId))).toMatch(/^tg_sandbox_\w+$/m);
});

it('the guide to the command line has a command that shows requests as they happen', async () => {
  const tail = type(tailRequests);
  await tail.shows('appear here');
  await type('tollgate payments create --amount 1 --currency XXX').exitCode;
  await tail.shows('unsupported-currency');
  tail.interrupt();
  expect(await tail.exitCode).toBe(0);
});

it('the guide to the command line has commands for webhooks that work', async () => {
  const [endpointId = ''] =
    /whe_\w+/.exec(await outputOf(createEndpoint.replace('https://shop.example', 'http://127.0.0.1:1'))) ??
    [];
  expect(readFileSync(join(folder, 'secret.txt'), 'utf8')).toMatch(/^whsec_\S+\n$/);
  const [eventId = ''] = /evt_\w+/.exec(await outputOf('tollgate trigger payment.failed')) ?? [];
  expect(await outputOf(resend.replace(/evt_\w+/, eventId))).toContain(eventId);
  await outputOf(listDeliveries);
  await outputOf(`tollgate endpoints delete ${endpointId}`);
});

it('the guide to the command line shows what forwarding prints, and an event that is triggered', async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  const { command, shown } = partsOf(listen);
  const port = new URL(receiver.url).port;
  const forwarding = type(command.replace('localhost:4000', `localhost:${port}`));
  await forwarding.shows('Ready.');

  const triggering = partsOf(trigger);
  expect(comparable(await outputOf(triggering.command))).toBe(comparable(triggering.shown));

  await forwarding.shows('payment.failed');
  // Other events follow the one of the transcript.
  expect(comparable(forwarding.output())).toContain(comparable(shown));
  expect(receiver.received[0]?.path).toBe('/webhooks');
});
