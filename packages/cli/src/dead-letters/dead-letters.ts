import type { Bus } from '@tollgate/bus/connection';
import {
  type DeadLetter,
  discardDeadLetter,
  listDeadLetters,
  replayDeadLetter,
} from '@tollgate/bus/dead-letters';
import { ArgumentError, type Command, EXIT_NO, EXIT_OK, type Terminal, UsageError } from '../command.ts';
import { connectAsOperator } from '../connect-as-operator.ts';
import { parseArguments } from '../parse-options.ts';

const USAGE = `Usage: tollgate dead-letters <list|replay|discard> [<sequence>...] [options]

Shows, replays, or deletes the messages that a consumer could not handle. They are kept for 30 days.

  list      prints the dead letters, oldest first
  replay    publishes them on their original subject again, after the cause is fixed, and deletes the dead letters
  discard   deletes them permanently

  --all               replays or discards all dead letters (of the consumer)
  --consumer <name>   only dead letters of this consumer: audit, usage, webhooks
  --body              also prints the bodies, which may contain personal data

NATS_URL is the address of NATS with the user operator.

Exit code: 0 done, 1 a dead letter was not found, 2 failed.`;

const ACTIONS = {
  replay: { run: replayDeadLetter, done: 'replayed' },
  discard: { run: discardDeadLetter, done: 'discarded' },
} as const;

type Options = ReturnType<typeof readArguments>;

export const deadLetters: Command = {
  summary: 'shows and replays messages that a service could not handle',
  usage: USAGE,
  actions: ['list', 'replay', 'discard'],
  async run(args, terminal) {
    const options = readArguments(args);
    const bus = await connectAsOperator(terminal);
    try {
      return options.action === 'list'
        ? await list(bus, options, terminal)
        : await apply(bus, options, terminal);
    } finally {
      await bus.close();
    }
  },
};

async function list(bus: Bus, options: Options, { print }: Terminal): Promise<number> {
  let count = 0;
  for await (const letter of selected(bus, options)) {
    count += 1;
    print(describe(letter));
    if (options.body) print(`  ${letter.body}`);
  }
  if (count === 0) print('No dead letters.');
  return EXIT_OK;
}

function describe({ sequence, deadAt, consumer, subject, deliveries, reason }: DeadLetter): string {
  return `${sequence}  ${deadAt.toISOString()}  ${consumer}  ${subject}  deliveries: ${deliveries}  ${reason}`;
}

async function apply(bus: Bus, options: Options, terminal: Terminal): Promise<number> {
  const { run, done } = ACTIONS[options.action as keyof typeof ACTIONS];
  const sequences = options.all ? await sequencesOf(bus, options) : options.sequences;
  let missing = 0;
  for (const sequence of sequences) {
    if (await run(bus, sequence)) {
      terminal.print(`${sequence} ${done}`);
      continue;
    }
    missing += 1;
    terminal.printError(`Dead letter ${sequence} not found.`);
  }
  return missing === 0 ? EXIT_OK : EXIT_NO;
}

/** Read completely before the first replay: a message that fails again becomes a new dead letter at the end. */
async function sequencesOf(bus: Bus, options: Options): Promise<number[]> {
  const sequences: number[] = [];
  for await (const { sequence } of selected(bus, options)) sequences.push(sequence);
  return sequences;
}

async function* selected(bus: Bus, { consumer, sequences }: Options): AsyncGenerator<DeadLetter> {
  for await (const letter of listDeadLetters(bus)) {
    if (consumer !== undefined && letter.consumer !== consumer) continue;
    if (sequences.length === 0 || sequences.includes(letter.sequence)) yield letter;
  }
}

function readArguments(args: string[]) {
  const { values, positionals } = parseArguments(args, {
    all: { type: 'boolean' },
    body: { type: 'boolean' },
    consumer: { type: 'string' },
  });
  const [action, ...rest] = positionals;
  if (action !== 'list' && action !== 'replay' && action !== 'discard') {
    throw new ArgumentError('Pass list, replay, or discard.');
  }
  const sequences = rest.map(parseSequence);
  const { all = false, body = false, consumer } = values;
  if (action !== 'list' && all === sequences.length > 0) {
    throw new UsageError(`Pass the sequences of the dead letters to ${action}, or --all.`);
  }
  return { action, sequences, all, body, consumer };
}

function parseSequence(text: string): number {
  const sequence = Number(text);
  if (Number.isSafeInteger(sequence) && sequence > 0) return sequence;
  throw new UsageError(`${JSON.stringify(text)} is not a sequence. Run tollgate dead-letters list.`);
}
