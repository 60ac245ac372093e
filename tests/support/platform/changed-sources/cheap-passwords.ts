import type { SourceChange } from './source-change.ts';

/** Passwords are hashed in microseconds. A test of the service guarantees the parameters of production. */
export const CHEAP_PASSWORDS: readonly SourceChange[] = [
  {
    file: 'accounts/src/passwords/password.ts',
    from: 'memoryKib: 19_456, passes: 2',
    to: 'memoryKib: 64, passes: 1',
  },
];
