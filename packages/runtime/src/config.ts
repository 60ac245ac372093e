/** One environment variable. `parse` converts its text to a value, and throws an Error that says what the value must be. */
export interface Variable<T> {
  name: string;
  /** Used when the variable is absent or empty. A variable without a default is required. */
  fallback?: T;
  parse(text: string): T;
}

interface Options<T> {
  default?: T;
}

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
  env: Record<string, string | undefined>,
  variables: { [Name in keyof Config]: Variable<Config[Name]> },
): Readonly<Config> {
  const problems: string[] = [];
  const config: Partial<Config> = {};
  for (const name of Object.keys(variables) as (keyof Config)[]) {
    const variable = variables[name];
    const text = env[variable.name]?.trim() ?? '';
    if (text === '') {
      if ('fallback' in variable) config[name] = variable.fallback as Config[typeof name];
      else problems.push(`${variable.name} is missing. Set it in the environment.`);
      continue;
    }
    try {
      config[name] = variable.parse(text);
    } catch (error) {
      problems.push(`${variable.name} ${(error as Error).message}.`);
    }
  }
  if (problems.length > 0) throw new ConfigError([...new Set(problems)]);
  return Object.freeze(config as Config);
}

function variable<T>(name: string, options: Options<T>, parse: (text: string) => T): Variable<T> {
  return options.default === undefined ? { name, parse } : { name, parse, fallback: options.default };
}

export function text(name: string, options: Options<string> = {}): Variable<string> {
  return variable(name, options, (value) => value);
}

export function integer(
  name: string,
  { min, max, ...options }: Options<number> & { min: number; max: number },
): Variable<number> {
  return variable(name, options, (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}, not "${value}"`);
    }
    return number;
  });
}

/** A TCP port; 0 selects a free one. */
export function port(name: string, options: Options<number> = {}): Variable<number> {
  return integer(name, { min: 0, max: 65_535, ...options });
}

export function choice<const T extends string>(
  name: string,
  choices: readonly T[],
  options: Options<NoInfer<T>> = {},
): Variable<T> {
  return variable(name, options, (value) => {
    const chosen = choices.find((candidate) => candidate === value);
    if (chosen === undefined) throw new Error(`must be one of ${choices.join(', ')}, not "${value}"`);
    return chosen;
  });
}

export function flag(name: string, options: Options<boolean> = {}): Variable<boolean> {
  return variable(name, options, (value) => {
    if (value !== 'true' && value !== 'false') throw new Error(`must be true or false, not "${value}"`);
    return value === 'true';
  });
}

/** Words separated by commas, for example a list of CIDRs. */
export function list(name: string, options: Options<string[]> = {}): Variable<string[]> {
  return variable(name, options, (value) =>
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
  return variable(name, options, (value) => {
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
  return variable(name, options, (value) => {
    const parsed = URL.parse(value);
    if (!parsed || !protocols.includes(parsed.protocol.slice(0, -1)))
      throw new Error(mustStartWith(protocols));
    return value.replace(/\/$/, '');
  });
}

/** A URL that can have several hosts, which URL parsers reject; the database client parses it. Errors never show the value. */
export function connectionString(name: string, protocols: readonly string[]): Variable<string> {
  return variable(name, {}, (value) => {
    if (!protocols.some((protocol) => value.startsWith(`${protocol}://`)))
      throw new Error(mustStartWith(protocols));
    return value;
  });
}

/** The complete URL of each server of a cluster. The NATS client would reject a wrong one later, without the variable's name. */
function natsAddresses(name: string): Variable<string> {
  const protocols = ['nats', 'tls'];
  return variable(name, {}, (value) => {
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
  opsHost: text('OPS_HOST', { default: '127.0.0.1' }),
  opsPort: port('OPS_PORT', { default: 0 }),
  logLevel: choice('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
  }),
};

/** Of a process that requests reach through a balancer: the time from "not ready" to the closing of its listeners. */
export const drainDelay = durationMs('DRAIN_DELAY', { default: 0 });

/** Variables of every process that connects to NATS. */
export const commonVariables = { ...processVariables, natsUrl: natsAddresses('NATS_URL') };

/** Replicas of each stream and bucket that a process creates. With 3, a cluster keeps them when it loses a server. */
export const natsReplicas = integer('NATS_REPLICAS', { min: 1, max: 5, default: 1 });

export const mongodbUrl = connectionString('MONGODB_URL', ['mongodb', 'mongodb+srv']);
