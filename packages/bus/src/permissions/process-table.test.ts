import * as accounts from '@tollgate/contracts/rpc/accounts';
import * as applications from '@tollgate/contracts/rpc/applications';
import * as audit from '@tollgate/contracts/rpc/audit';
import { type RpcContract, rpcSubject } from '@tollgate/contracts/rpc/contract';
import * as payments from '@tollgate/contracts/rpc/payments';
import * as usage from '@tollgate/contracts/rpc/usage';
import * as webhooks from '@tollgate/contracts/rpc/webhooks';
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
