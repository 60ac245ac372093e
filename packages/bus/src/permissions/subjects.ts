import { rpcSubject } from '@tollgate/contracts/platform/rpc-contract';
import {
  DEAD_LETTERS_STREAM,
  deadLetterSubject,
  STREAMS,
  type StreamName,
} from '@tollgate/contracts/platform/streams';
import { inboxOf } from './inbox.ts';
import { PROCESS_NAMES, PROCESSES, type ProcessAccess, type ProcessName } from './process-table.ts';

/** Subjects of a NATS user, in the syntax of the server's configuration. */
export interface SubjectPermissions {
  publish: string[];
  /** `<subject> <queue group>` permits only subscriptions in the group. */
  subscribe: string[];
}

const API = '$JS.API';

/**
 * Derives what the process may publish and subscribe to.
 * @param sharedUsers users without limits, beside the users of processes. Servers may reply to them.
 */
export function subjectsOf(name: ProcessName, sharedUsers: readonly string[] = []): SubjectPermissions {
  const access = PROCESSES[name];
  const { serves, calls = [], consumes = [], announces = [], subscribes = [] } = access;
  const publish = [
    ...calls.map(rpcSubject),
    ...announces,
    ...streamsOf(access).flatMap((stream) => [api('STREAM.INFO', stream), api('STREAM.CREATE', stream)]),
    ...(access.manages ?? []).map((stream) => api('STREAM.UPDATE', stream)),
    ...(access.managesBuckets ?? []).flatMap(managing),
    ...(access.publishes ?? []).flatMap((stream) => STREAMS[stream].subjects),
    ...consumes.flatMap(pulling),
    ...consumes.map(({ durable }) => deadLetterSubject(durable)),
    ...(access.owns ?? []).flatMap(owning),
    ...(access.mirrors ?? []).flatMap(watching),
    ...(access.reads ?? []).map((bucket) => api('STREAM.MSG.GET', `KV_${bucket}`)),
    ...(access.erases ?? []).flatMap(erasing),
    ...(access.handlesDeadLetters ? erasing(DEAD_LETTERS_STREAM) : []),
    ...(serves === undefined ? [] : repliesOf(serves, sharedUsers)),
  ];
  const subscribe = [
    inboxOf(name),
    ...subscribes,
    ...(serves === undefined ? [] : [`rpc.${serves}.* ${serves}`]),
  ];
  return { publish: [...new Set(publish)].sort(), subscribe: [...new Set(subscribe)].sort() };
}

/** Streams that the process needs, and therefore creates when NATS lost them. */
function streamsOf({ publishes = [], consumes = [], manages = [], handlesDeadLetters }: ProcessAccess) {
  const needsDeadLetters = consumes.length > 0 || handlesDeadLetters === true;
  const streams: StreamName[] = [...publishes, ...manages, ...consumes.map(({ stream }) => stream)];
  return needsDeadLetters ? [...streams, DEAD_LETTERS_STREAM] : streams;
}

function pulling({ stream, durable }: { stream: StreamName; durable: string }): string[] {
  const consumer = `${stream}.${durable}`;
  return [
    api('CONSUMER.CREATE', consumer),
    api('CONSUMER.INFO', consumer),
    api('CONSUMER.MSG.NEXT', consumer),
    ...internal('ACK', consumer),
  ];
}

/** Reads the status of a bucket, and follows it with an ephemeral consumer. */
function watching(bucket: string): string[] {
  const stream = `KV_${bucket}`;
  return [
    api('STREAM.INFO', stream),
    api('CONSUMER.CREATE', `${stream}.*.$KV.${bucket}.>`),
    api('CONSUMER.INFO', `${stream}.*`),
    api('CONSUMER.DELETE', `${stream}.*`),
    ...internal('FC', stream),
  ];
}

function managing(bucket: string): string[] {
  const stream = `KV_${bucket}`;
  return [api('STREAM.INFO', stream), api('STREAM.UPDATE', stream)];
}

function erasing(stream: StreamName): string[] {
  return [api('STREAM.INFO', stream), api('STREAM.MSG.GET', stream), api('STREAM.MSG.DELETE', stream)];
}

function owning(bucket: string): string[] {
  const stream = `KV_${bucket}`;
  return [
    `${API}.INFO`,
    api('STREAM.CREATE', stream),
    api('STREAM.MSG.GET', stream),
    `$KV.${bucket}.>`,
    ...watching(bucket),
  ];
}

/**
 * Inboxes of the callers. Permitting replies to whatever subject a request names (`allow_responses`) would let a caller
 * make the service publish anywhere.
 */
function repliesOf(service: string, sharedUsers: readonly string[]): string[] {
  const callers = PROCESS_NAMES.filter((name) =>
    PROCESSES[name].calls?.some((contract) => contract.service === service),
  );
  return [...callers.map(inboxOf), ...sharedUsers.flatMap((user) => [inboxOf(user), '_INBOX.>'])];
}

/** Acknowledgments and flow control. Servers from 2.14 may put the domain and the account before the stream. */
function internal(kind: 'ACK' | 'FC', target: string): string[] {
  return [`$JS.${kind}.${target}.>`, `$JS.${kind}.*.*.${target}.>`];
}

function api(operation: string, target: string): string {
  return `${API}.${operation}.${target}`;
}
