import type { Terminal } from '../../src/command.ts';

export interface TestTerminal extends Terminal {
  printed: string[];
  errors: string[];
  /** Like Ctrl+C. */
  interrupt(): void;
}

export function testTerminal(replaced: Partial<Pick<Terminal, 'input' | 'env'>> = {}): TestTerminal {
  const printed: string[] = [];
  const errors: string[] = [];
  const interruption = new AbortController();
  return {
    input: (async function* () {})(),
    env: process.env,
    ...replaced,
    printed,
    errors,
    print: (line) => printed.push(line),
    printError: (line) => errors.push(line),
    untilInterrupted: () => interruption.signal,
    interrupt: () => interruption.abort(),
  };
}
