import type { AdapterRule } from '@tollgate/processor-adapter/contract/rules';

/** The adapter breaks the contract. */
export class Finding extends Error {
  readonly expected: string;
  readonly sent: string;
  readonly received: string;
  readonly rule: AdapterRule | undefined;

  constructor(expected: string, { sent, received }: { sent: string; received: string }, rule?: AdapterRule) {
    super(`expected ${expected}, received ${received}`);
    this.expected = expected;
    this.sent = sent;
    this.received = received;
    this.rule = rule;
  }
}

/** The message says what to configure. */
export class NotTested extends Error {}
