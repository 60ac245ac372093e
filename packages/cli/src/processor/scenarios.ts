import { exec } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { PaymentState } from '@tollgate/processor-adapter/contract/payment-state';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { UsageError } from '../command.ts';
import { NotTested } from './finding.ts';
import { isScenarioName, SCENARIOS, type ScenarioName } from './scenario-names.ts';

const closed = { additionalProperties: false } as const;

/** What happens outside of the adapter, mostly by the payer: a request, or a command with the variables ACTION_URL, PAYMENT_ID, and REFERENCE. */
const Act = Type.Union([
  Type.Object({ post: Type.String({ minLength: 1 }) }, closed),
  Type.Object({ command: Type.String({ minLength: 1 }) }, closed),
]);
type Act = Static<typeof Act>;

/** Fields of a payment with a known outcome. */
const Scenario = Type.Object(
  {
    payment_method: Type.Optional(Type.String({ minLength: 1 })),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    amount: Type.Optional(Type.Integer({ minimum: 1 })),
    pay: Type.Optional(Act),
    decline: Type.Optional(Act),
    refund: Type.Optional(Act),
  },
  closed,
);
export type Scenario = Static<typeof Scenario>;
export type Scenarios = Partial<Record<ScenarioName, Scenario>>;

const ScenarioFile = Type.Object(
  Object.fromEntries(SCENARIOS.map((name) => [name, Type.Optional(Scenario)])),
  closed,
);

/** @throws UsageError */
export async function readScenarios(path: string | undefined, tokens: string[]): Promise<Scenarios> {
  const scenarios = path === undefined ? {} : await readScenarioFile(path);
  for (const token of tokens) {
    const [, name, value] = /^([a-z_]+)=(.+)$/.exec(token) ?? [];
    if (!isScenarioName(name) || value === undefined)
      throw new UsageError(`--payment-method must be SCENARIO=TOKEN, with one of: ${SCENARIOS.join(', ')}.`);
    scenarios[name] = { ...scenarios[name], payment_method: value };
  }
  return scenarios;
}

async function readScenarioFile(path: string): Promise<Scenarios> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${(error as Error).message}`);
  }
  const validator = Compile(ScenarioFile);
  if (validator.Check(content)) return content as Scenarios;
  const [error] = validator.Errors(content);
  throw new UsageError(
    `${path} does not describe scenarios: ${error?.instancePath || 'the file'} ${error?.message}.`,
  );
}

/** Plays the payer, and the payee who refunds. */
export interface Payer {
  /** @throws NotTested when the action is not configured or failed */
  act(action: 'pay' | 'decline' | 'refund', paymentId: string, state: PaymentState): Promise<void>;
}

export function createPayer(scenario: Scenario | undefined, deadlineMs: number, secretsEnv: string): Payer {
  return {
    async act(action, paymentId, state) {
      const act = scenario?.[action];
      if (!act) {
        throw new NotTested(
          `Add "${action}" to the scenario action_required in the file of --scenarios: { "post": "{action_url}/…" } or { "command": "…" }. Send callbacks of the adapter to the listener of the suite.`,
        );
      }
      try {
        await perform(act, paymentId, state);
      } catch (error) {
        throw new NotTested(`The action "${action}" failed: ${(error as Error).message}`);
      }
    },
  };

  async function perform(act: Act, paymentId: string, state: PaymentState): Promise<void> {
    const values = {
      ACTION_URL: state.next_action?.url ?? '',
      PAYMENT_ID: paymentId,
      REFERENCE: state.reference ?? '',
    };
    if ('command' in act) {
      const { [secretsEnv]: _, ...env } = process.env;
      await promisify(exec)(act.command, { env: { ...env, ...values }, timeout: deadlineMs });
      return;
    }
    const url = act.post.replace(
      /\{(action_url|payment_id|reference)\}/g,
      (_, name: string) => values[name.toUpperCase() as keyof typeof values],
    );
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(deadlineMs),
    });
    await response.body?.cancel();
  }
}
