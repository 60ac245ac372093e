import { DEFAULT_STREAM_MAX_BYTES } from '@tollgate/contracts/platform/streams';
import { readSetting, SettingProblem } from './secret-file.ts';

export type Environment = Record<string, string | undefined>;

/** What docs/operating/configuration.md says about a variable. */
interface VariableDocs {
  /** Starts with a capital letter and ends with a period. Markdown. */
  description?: string;
  /** What the text must be, such as "duration". */
  type?: string;
  /** The default in words, where the value itself does not say it. Markdown. */
  defaultText?: string;
  /** May contain a secret. It can then be in a file, whose path is in `<name>_FILE`. */
  isSecret?: boolean;
}

/**
 * One environment variable. `parse` converts its text to a value, and throws an Error that says what the value must be. The error
 * of a secret never shows the text.
 */
export interface Variable<T> extends VariableDocs {
  name: string;
  /** Used when the variable is absent or empty. A variable without a default is required. */
  fallback?: T;
  parse(text: string, env: Environment): T;
}

interface Options<T> extends VariableDocs {
  default?: T;
}

/** The variables of a process. */
export type VariableTable = Readonly<Record<string, Variable<unknown>>>;

/** Reports every missing or invalid variable in one error, so that an operator can fix them all before the next restart. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Reads and validates all variables. The result is frozen. */
export function readConfig<Config extends object>(
  env: Environment,
  variables: { [Name in keyof Config]: Variable<Config[Name]> },
): Readonly<Config> {
  const problems: string[] = [];
  const config: Partial<Config> = {};
  for (const name of Object.keys(variables) as (keyof Config)[]) {
    try {
      config[name] = readVariable(env, variables[name]);
    } catch (error) {
      if (!(error instanceof SettingProblem)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new ConfigError([...new Set(problems)]);
  return Object.freeze(config as Config);
}

/** @throws SettingProblem */
function readVariable<T>(env: Environment, variable: Variable<T>): T {
  const { name, isSecret = false } = variable;
  const { text, source } = readSetting(env, name, { isSecret });
  if (text === '') {
    if ('fallback' in variable) return variable.fallback as T;
    throw new SettingProblem(
      `${name} is missing. Set it in the environment${isSecret ? `, or set ${name}_FILE to the path of a file` : ''}.`,
    );
  }
  try {
    return variable.parse(text, env);
  } catch (error) {
    throw new SettingProblem(`${source} ${(error as Error).message}.`);
  }
}

function variable<T>(
  name: string,
  { default: fallback, ...docs }: Options<T>,
  parse: (text: string) => T,
): Variable<T> {
  return { name, parse, ...docs, ...(fallback !== undefined && { fallback }) };
}

export function text(name: string, options: Options<string> = {}): Variable<string> {
  return variable(name, { type: 'text', ...options }, (value) => value);
}

export function integer(
  name: string,
  { min, max, ...options }: Options<number> & { min: number; max: number },
): Variable<number> {
  return variable(name, { type: `whole number from ${min} to ${max}`, ...options }, (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}, not "${value}"`);
    }
    return number;
  });
}

/** A number from 0 to 1. */
export function share(name: string, options: Options<number> = {}): Variable<number> {
  return variable(name, { type: 'number from 0 to 1', ...options }, (value) => {
    const number = Number(value);
    if (!(number >= 0 && number <= 1)) throw new Error(`must be a number from 0 to 1, not "${value}"`);
    return number;
  });
}

/** A TCP port; 0 selects a free one. */
export function port(name: string, options: Options<number> = {}): Variable<number> {
  return integer(name, { min: 0, max: 65_535, type: 'port', ...options });
}

export function choice<const T extends string>(
  name: string,
  choices: readonly T[],
  options: Options<NoInfer<T>> = {},
): Variable<T> {
  const type = choices.map((candidate) => `\`${candidate}\``).join(', ');
  return variable(name, { type, ...options }, (value) => {
    const chosen = choices.find((candidate) => candidate === value);
    if (chosen === undefined) throw new Error(`must be one of ${choices.join(', ')}, not "${value}"`);
    return chosen;
  });
}

export function flag(name: string, options: Options<boolean> = {}): Variable<boolean> {
  return variable(name, { type: 'boolean', ...options }, (value) => {
    if (value !== 'true' && value !== 'false') throw new Error(`must be true or false, not "${value}"`);
    return value === 'true';
  });
}

/** Words separated by commas, for example a list of CIDRs. */
export function list(name: string, options: Options<string[]> = {}): Variable<string[]> {
  return variable(name, { type: 'list', ...options }, (value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A longer duration is a mistake in the unit, and would lead to times beyond the range of Date. */
const MAX_DURATION_DAYS = 3_650;

/** `500ms`, `5s`, `15m`, `24h`, `7d`, as milliseconds, at most ten years. The default is given in milliseconds. */
export function durationMs(name: string, options: Options<number> = {}): Variable<number> {
  return variable(name, { type: 'duration', ...options }, (value) => {
    const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(value);
    if (!match) throw new Error(`must be a duration such as 500ms, 5s, 15m, 24h or 7d, not "${value}"`);
    const ms = Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
    if (ms > MAX_DURATION_DAYS * UNIT_MS.d) {
      throw new Error(`must be at most ${MAX_DURATION_DAYS}d, not "${value}"`);
    }
    return ms;
  });
}

/** One URL, without a trailing slash. Errors never show the value, because it can contain a password. */
export function url(
  name: string,
  { protocols, ...options }: Options<string> & { protocols: readonly string[] },
): Variable<string> {
  return variable(name, { type: 'URL', ...options }, (value) => {
    const parsed = URL.parse(value);
    if (!parsed || !protocols.includes(parsed.protocol.slice(0, -1)))
      throw new Error(mustStartWith(protocols));
    return value.replace(/\/$/, '');
  });
}

/** Scheme, host, and port. Errors never contain the value, because addresses may contain passwords. */
export function origin<Fallback = string>(
  name: string,
  { default: fallback, ...docs }: { default: Fallback; defaultText?: string; description: string },
): Variable<string | Fallback> {
  return {
    name,
    ...docs,
    type: 'URL without a path',
    fallback,
    parse(value) {
      const url = URL.parse(value);
      const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
      if (!url || !isWeb || url.pathname !== '/' || url.search || url.hash || url.username || url.password) {
        throw new Error('must be an address such as https://pay.example.com, without a path');
      }
      return url.origin;
    },
  };
}

/** A URL that can have several hosts, which URL parsers reject; the database client parses it. Errors never show the value. */
export function connectionString(
  name: string,
  { protocols, ...options }: Options<string> & { protocols: readonly string[] },
): Variable<string> {
  return variable(name, { type: 'URL', ...options }, (value) => {
    if (!protocols.some((protocol) => value.startsWith(`${protocol}://`)))
      throw new Error(mustStartWith(protocols));
    return value;
  });
}

/** The complete URL of each server of a cluster. The NATS client would reject a wrong one later, without the variable's name. */
function natsAddresses(name: string, options: Options<string>): Variable<string> {
  const protocols = ['nats', 'tls'];
  return variable(name, { type: 'list of URLs', ...options }, (value) => {
    const urls = value.split(',').map((part) => URL.parse(part.trim()));
    if (urls.some((parsed) => !parsed?.hostname || !protocols.includes(parsed.protocol.slice(0, -1)))) {
      throw new Error(`${mustStartWith(protocols)}, or several such addresses, separated by commas`);
    }
    const [first, ...others] = urls as URL[];
    for (const part of ['protocol', 'username', 'password'] as const) {
      if (others.some((other) => other[part] !== first?.[part])) {
        throw new Error('must have the same protocol, user, and password for every server');
      }
    }
    return value;
  });
}

function mustStartWith(protocols: readonly string[]): string {
  return `must be an address that starts with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`;
}

/** Variables of every process. */
export const processVariables = {
  opsHost: text('OPS_HOST', {
    default: '127.0.0.1',
    description: 'Address of the listener for health and metrics.',
  }),
  opsPort: port('OPS_PORT', {
    default: 0,
    defaultText: 'a free port',
    description: 'Port of the listener for health and metrics.',
  }),
  logLevel: choice('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'Minimum level of the lines that the process logs.',
  }),
};

/** Longer than balancers take to detect an unready instance. */
export const MAX_DRAIN_DELAY_MS = 60_000;

export const drainDelay: Variable<number> = {
  ...durationMs('DRAIN_DELAY', {
    default: 0,
    defaultText: '`0s`',
    description:
      'Time from "not ready" to the closing of the listeners of the gateway, payments, or the dashboard. At most `60s`.',
  }),
  parse(value, env) {
    const delayMs = durationMs('DRAIN_DELAY').parse(value, env);
    if (delayMs > MAX_DRAIN_DELAY_MS) throw new Error(`must be at most 60s, not "${value}"`);
    return delayMs;
  },
};

/** Variables of every process that records spans. */
export const tracingVariables = {
  otlpEndpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', {
    protocols: ['http', 'https'],
    default: '',
    defaultText: 'spans are not recorded',
    description: 'OpenTelemetry collector that receives spans over HTTP.',
  }),
  sampledShare: share('OTEL_TRACES_SAMPLER_ARG', {
    default: 1,
    description: 'Share of the traces that this process starts and records ([tracing](tracing.md)).',
  }),
};

/** Variables of every process that connects to NATS. */
export const commonVariables = {
  ...processVariables,
  ...tracingVariables,
  natsUrl: natsAddresses('NATS_URL', {
    isSecret: true,
    description:
      'Each server of NATS, with the user of this process, such as `nats://user:password@host:4222`. `tls://` requires TLS.',
  }),
};

/** Variables of every process that creates streams or buckets. */
export const streamVariables = {
  natsReplicas: integer('NATS_REPLICAS', {
    min: 1,
    max: 5,
    default: 1,
    description: 'Replicas of the streams and buckets that the process creates: 3 on a cluster of NATS.',
  }),
  natsStreamMaxBytes: integer('NATS_STREAM_MAX_BYTES', {
    min: 1024 ** 2,
    max: 1024 ** 4,
    default: DEFAULT_STREAM_MAX_BYTES,
    defaultText: `\`${DEFAULT_STREAM_MAX_BYTES}\` (512 MiB)`,
    type: 'bytes',
    description:
      'Size of each stream that the process creates, beyond which the oldest messages are discarded ([sizing](scale.md#size-the-streams)).',
  }),
};

export const mongodbUrl = connectionString('MONGODB_URL', {
  protocols: ['mongodb', 'mongodb+srv'],
  isSecret: true,
  description:
    'MongoDB, with the user of this service, such as `mongodb://user:password@host:27017/?authSource=admin`.',
});
