import { type Bus, connectBus } from '@tollgate/bus/connection';
import { inspectStream, type StreamStatus, serverOf, streamsOfProcess } from '@tollgate/bus/inspect-streams';
import type { ProcessName } from '@tollgate/bus/permissions/process-table';
import {
  formatVersion,
  isAtLeast,
  NEWEST_TESTED,
  OLDEST_SUPPORTED,
  parseVersion,
  RELEASE,
} from '@tollgate/local-servers/nats-server/server-version';
import type { Clock } from '@tollgate/runtime/clock';
import { checkClock } from './check-clock.ts';
import { type Finding, notChecked, ok, problem } from './finding.ts';

const SERVER = 'nats-server';

export interface NatsTarget {
  url: string;
  /** Replicas that each stream should have. */
  replicas: number;
  /** Size that a stream without a limit should get. */
  maxBytes: number;
  processes: readonly ProcessName[];
}

/** Connects as the processes do, and inspects the streams and buckets that they need. Changes nothing. */
export async function checkNats({ url, ...target }: NatsTarget, clock: Clock): Promise<Finding[]> {
  let bus: Bus;
  try {
    bus = await connectBus({ url, name: 'tollgate-doctor', isImpatient: true });
  } catch (error) {
    const remedy =
      'Check NATS_URL: host, port, user, and password. Then check that NATS runs and is reachable.';
    return [problem('nats', 'connection', (error as Error).message, remedy)];
  }
  try {
    const { version, hasJetStream } = serverOf(bus);
    const findings = [
      ok('nats', 'connection', `Connected to nats-server ${version}.`),
      checkNatsVersion(version),
    ];
    if (!hasJetStream) {
      const remedy = 'Add a jetstream block with a store_dir to its configuration (docker/nats-server.conf).';
      return [...findings, problem('nats', 'JetStream', 'The server has no JetStream.', remedy)];
    }
    return [...findings, ...(await checkStreams(bus, target, clock))];
  } finally {
    await bus.close();
  }
}

/** Minor versions that are newer than every tested one may behave differently. */
export function checkNatsVersion(text: string): Finding {
  const version = parseVersion(text);
  const [oldest, release, newest] = [OLDEST_SUPPORTED, RELEASE, NEWEST_TESTED].map(formatVersion);
  const message = `${text}. Tollgate is tested with ${oldest}, ${release}, and ${newest}.`;
  if (version !== null && !isAtLeast(version, OLDEST_SUPPORTED))
    return problem('nats', 'version', message, `Upgrade the server, for example to ${release}.`);
  const nextMinor = { ...NEWEST_TESTED, minor: NEWEST_TESTED.minor + 1, patch: 0 };
  return version === null || isAtLeast(version, nextMinor)
    ? notChecked('nats', 'version', message)
    : ok('nats', 'version', message);
}

async function checkStreams(bus: Bus, target: Omit<NatsTarget, 'url'>, clock: Clock): Promise<Finding[]> {
  const findings: Finding[] = [];
  let clockFinding = notChecked(
    'clocks',
    SERVER,
    'The server did not state its time. Versions from 2.10 do, with a stream.',
  );
  for (const name of new Set(target.processes.flatMap(streamsOfProcess))) {
    const beforeMs = clock.now();
    const status = await inspectStream(bus, name);
    const afterMs = clock.now();
    findings.push(...checkStream(name, status, target));
    if (typeof status === 'object' && status.serverTimeMs !== null)
      clockFinding = checkClock(SERVER, { beforeMs, serverMs: status.serverTimeMs, afterMs });
  }
  return [...findings, clockFinding];
}

function checkStream(
  name: string,
  status: StreamStatus | 'missing' | 'denied',
  { replicas, maxBytes }: Omit<NatsTarget, 'url'>,
): Finding[] {
  if (status === 'denied') {
    const remedy =
      'Generate the users of NATS again (packages/launcher/src/containers/print-nats-users.ts), and reload the server.';
    return [problem('nats', name, 'The user may not read the stream, which its process needs.', remedy)];
  }
  if (status === 'missing')
    return [notChecked('nats', name, 'Not created yet. The first process that needs it creates it.')];
  const problems: Finding[] = [];
  if (status.replicas < replicas) {
    const message = `It has ${status.replicas} of ${replicas} replicas (NATS_REPLICAS), so that the loss of a server can lose it.`;
    const remedy = `With a NATS user that may change it, such as operator: nats stream edit ${name} --replicas ${replicas}`;
    problems.push(problem('nats', name, message, remedy));
  }
  if (status.maxBytes === null && !isBucket(name)) {
    const remedy = `With the NATS user operator: nats stream edit ${name} --max-bytes ${maxBytes}`;
    problems.push(
      problem('nats', name, 'It has no limit of size, so that it can fill the disk of NATS.', remedy),
    );
  }
  if (status.missingSubjects.length > 0) {
    const message = `It does not store ${status.missingSubjects.join(', ')}.`;
    const remedy = `With the NATS user operator: nats stream edit ${name} --subjects …`;
    problems.push(problem('nats', name, message, remedy));
  }
  return problems.length > 0 ? problems : [ok('nats', name, describe(status))];
}

/** A bucket has an entry per key, none of which may be discarded. */
function isBucket(name: string): boolean {
  return name.startsWith('KV_');
}

const DAY_MS = 86_400_000;
const MIB = 1_048_576;

function describe({ replicas, bytes, maxBytes, maxAgeMs }: StreamStatus): string {
  const age = maxAgeMs === null ? 'no limit of age' : `kept for ${maxAgeMs / DAY_MS} days`;
  const size = maxBytes === null ? 'no limit of size' : `at most ${Math.round(maxBytes / MIB)} MiB`;
  return `Replicas: ${replicas}, ${Math.ceil(bytes / MIB)} MiB, ${age}, ${size}.`;
}
