import * as accounts from '@tollgate/contracts/accounts/rpc';
import * as applications from '@tollgate/contracts/applications/rpc';
import * as audit from '@tollgate/contracts/audit/rpc';
import * as payments from '@tollgate/contracts/payments/rpc';
import { type RpcContract, rpcSubject } from '@tollgate/contracts/platform/rpc-contract';
import * as usage from '@tollgate/contracts/usage/rpc';
import * as webhooks from '@tollgate/contracts/webhooks/rpc';
import { expect, it } from 'vitest';
import { PROCESS_NAMES, PROCESSES } from './process-table.ts';
import { subjectsOf } from './subjects.ts';

const CONTRACTS = [accounts, applications, audit, payments, usage, webhooks]
  .flatMap((module) => Object.values(module) as unknown[])
  .filter((value): value is RpcContract => typeof value === 'object' && value !== null && 'method' in value);

it('every RPC has a process that serves it, and one that may call it', () => {
  const served = new Set(PROCESS_NAMES.map((name) => PROCESSES[name].serves));
  expect(CONTRACTS.filter(({ service }) => !served.has(service)).map(rpcSubject)).toEqual([]);
  const called = new Set(PROCESS_NAMES.flatMap((name) => subjectsOf(name).publish));
  expect(CONTRACTS.map(rpcSubject).filter((subject) => !called.has(subject))).toEqual([]);
});

it('the operator may change the configuration of every bucket that a process owns', () => {
  const owned = PROCESS_NAMES.flatMap((name) => PROCESSES[name].owns ?? []);
  expect(PROCESSES.operator.managesBuckets?.toSorted()).toEqual(owned.toSorted());
});
