import { readFileSync } from 'node:fs';
import { PROCESSOR_LIMITS } from '@tollgate/contracts/payments/processors';
import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { fieldErrors } from '@tollgate/contracts/platform/field-errors';
import { ID_PATTERNS } from '@tollgate/contracts/platform/ids';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import { MapOf, TextOfPattern } from '@tollgate/contracts/platform/schema';
import { parseSecrets } from '@tollgate/processor-adapter/contract/signature';
import { durationMs } from '@tollgate/runtime/config';
import { readSetting, SettingProblem } from '@tollgate/runtime/secret-file';
import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { parseDocument } from 'yaml';
import type { AdapterConfig } from '../http/adapter-client.ts';
import type { Route } from './choose-processor.ts';

export interface ProcessorsFile {
  adapters: ReadonlyMap<string, AdapterConfig>;
  routes: readonly Route[];
}

export const NO_PROCESSORS: ProcessorsFile = { adapters: new Map(), routes: [] };

/** Processors of this service, whose names an adapter cannot have. */
const BUILT_IN = ['sandbox', 'manual'];

const TRIAL_AFTER_MS = 10_000;
const DEFAULT_CONCURRENCY = 20;
const MAX_CONCURRENCY = 1_000;
const DEFAULT_DEADLINE_MS = 10_000;
/** Callers wait for a cancellation this long. Below the lease of a worker, so that a claim never ends during a call. */
const MAX_DEADLINE_MS = DEFAULT_DEADLINE_MS;

const closed = { additionalProperties: false } as const;

const Adapter = Type.Object(
  {
    url: TextOfPattern('^https?://[^\\s]+$', 'This must be an http or https URL.'),
    secrets: Type.Object({ env: Type.Optional(Type.String()), file: Type.Optional(Type.String()) }, closed),
    concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_CONCURRENCY })),
    deadline: Type.Optional(Type.String()),
    reference_url: Type.Optional(
      TextOfPattern(
        '^https://[^\\s]*\\{reference\\}',
        'This must be an https URL that contains {reference}.',
      ),
    ),
  },
  closed,
);

const oneOrMore = <Item extends TSchema>(item: Item) => Type.Union([item, Type.Array(item, { minItems: 1 })]);

const FileRoute = Type.Object(
  {
    processor: Type.String(),
    environment: Type.Optional(Type.Enum(ENVIRONMENTS)),
    currency: Type.Optional(oneOrMore(Type.String())),
    application: Type.Optional(oneOrMore(Type.String())),
    payment_method: Type.Optional(Type.String({ minLength: 1 })),
  },
  closed,
);

const File = Type.Object(
  {
    processors: MapOf(
      TextOfPattern(
        '^[a-z][a-z0-9-]*$',
        'This must start with a lowercase letter, and contain only lowercase letters, digits, and hyphens.',
        { maxLength: PROCESSOR_LIMITS.name },
      ),
      Adapter,
      { maxProperties: PROCESSOR_LIMITS.adapters },
    ),
    routes: Type.Array(FileRoute),
  },
  closed,
);
const schema = Compile(File);

type Report = (place: string, what: string) => void;

/**
 * Reads the file that names adapters and routes.
 *
 * @throws Error that lists everything that is wrong, each with its place in the file
 */
export function readProcessorsFile(path: string, env: Record<string, string | undefined>): ProcessorsFile {
  const problems: string[] = [];
  const report: Report = (place, what) => problems.push(`${place}: ${what}`);
  const file = parseFile(path, report);
  const adapters = new Map<string, AdapterConfig>();
  for (const [name, adapter] of Object.entries(file?.processors ?? {})) {
    const configured = readAdapter(`processors.${name}`, name, adapter, env, report);
    if (configured) adapters.set(name, configured);
  }
  const names = [...BUILT_IN, ...Object.keys(file?.processors ?? {})];
  const routes = (file?.routes ?? []).map((route, index) =>
    readRoute(`routes[${index}]`, route, names, report),
  );
  if (problems.length > 0)
    throw new Error(
      `names a file that is not valid:\n${problems.map((problem) => `      ${problem}`).join('\n')}`,
    );
  return { adapters, routes };
}

function parseFile(path: string, report: Report): Static<typeof File> | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    report(path, `The file cannot be read (${(error as NodeJS.ErrnoException).code}).`);
    return null;
  }
  const document = parseDocument(text, { prettyErrors: true });
  for (const { message } of document.errors) report(path, message);
  if (document.errors.length > 0) return null;
  const value: unknown = document.toJS();
  if (schema.Check(value)) return value;
  for (const { pointer = '', detail } of fieldErrors(schema.Errors(value))) {
    report(pointer.slice(1).replaceAll('/', '.') || path, detail);
  }
  return null;
}

function readAdapter(
  place: string,
  name: string,
  { url, secrets, concurrency, deadline, reference_url }: Static<typeof Adapter>,
  env: Record<string, string | undefined>,
  report: Report,
): AdapterConfig | null {
  if (BUILT_IN.includes(name)) report(place, `The name "${name}" is reserved for the built-in processor.`);
  const keys = readSecrets(`${place}.secrets`, secrets, env, report);
  const deadlineMs =
    deadline === undefined ? DEFAULT_DEADLINE_MS : readDeadline(`${place}.deadline`, deadline, report);
  if (keys === null || deadlineMs === null) return null;
  return {
    url: url.replace(/\/$/, ''),
    secrets: keys,
    maxConcurrent: concurrency ?? DEFAULT_CONCURRENCY,
    deadlineMs,
    trialAfterMs: TRIAL_AFTER_MS,
    referenceUrl: reference_url ?? null,
  };
}

function readSecrets(
  place: string,
  source: { env?: string; file?: string },
  env: Record<string, string | undefined>,
  report: Report,
) {
  if ((source.env === undefined) === (source.file === undefined)) {
    report(place, 'Give either `env`, the name of a variable, or `file`, a path.');
    return null;
  }
  try {
    const text =
      source.env === undefined
        ? readFileSync(source.file as string, 'utf8')
        : readSetting(env, source.env, { isSecret: true }).text;
    return parseSecrets(text);
  } catch (error) {
    if (error instanceof SettingProblem) report(place, error.message);
    else report(place, `The content of ${source.env ?? source.file} ${(error as Error).message}.`);
    return null;
  }
}

function readDeadline(place: string, text: string, report: Report): number | null {
  try {
    const ms = durationMs('deadline').parse(text, {});
    if (ms >= 1 && ms <= MAX_DEADLINE_MS) return ms;
    report(place, `The deadline must be from 1ms to ${MAX_DEADLINE_MS / 1000}s.`);
  } catch (error) {
    report(place, `The deadline ${(error as Error).message}.`);
  }
  return null;
}

function readRoute(
  place: string,
  { processor, environment, currency, application, payment_method }: Static<typeof FileRoute>,
  names: readonly string[],
  report: Report,
): Route {
  if (!names.includes(processor))
    report(place, `The processor "${processor}" is not one of ${names.join(', ')}.`);
  if (processor === 'sandbox' && environment !== 'sandbox') {
    report(place, 'The processor "sandbox" moves no money. Limit the route to `environment: sandbox`.');
  }
  const currencies = currency === undefined ? undefined : [currency].flat();
  for (const code of currencies ?? []) {
    if (!CURRENCY_EXPONENTS.has(code)) report(place, `"${code}" is not an active ISO 4217 currency.`);
  }
  const applications = application === undefined ? undefined : [application].flat();
  for (const id of applications ?? []) {
    if (!ID_PATTERNS.application.test(id)) report(place, `"${id}" is not the id of an application.`);
  }
  return {
    processor,
    ...(environment && { environment }),
    ...(currencies && { currencies }),
    ...(applications && { applications }),
    ...(payment_method !== undefined && { paymentMethodPrefix: payment_method }),
  };
}
