/** A call of an `idempotent` contract with an idempotency key. */
export interface IdempotentCall {
  key: string;
  /** Subject of the method: two methods may be called with one key. */
  operation: string;
  /** The request as received. With the same key, it must be the same. */
  request: unknown;
  /** Marks the reply as that of an earlier call with this key. */
  markReplayed(): void;
}
