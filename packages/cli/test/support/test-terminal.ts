import type { Terminal } from '../../src/command.ts';

export interface TestTerminal extends Terminal {
  printed: string[];
  errors: string[];
  opened: string[];
  /** Like Ctrl+C. */
  interrupt(): void;
}

export function testTerminal(replaced: Partial<Pick<Terminal, 'input' | 'env'>> = {}): TestTerminal {
  const printed: string[] = [];
  const errors: string[] = [];
  const opened: string[] = [];
  const interruption = new AbortController();
  return {
    input: (async function* () {})(),
    env: process.env,
    ...replaced,
    printed,
    errors,
    opened,
    print: (line) => printed.push(line),
    printError: (line) => errors.push(line),
    openUrl: async (url) => void opened.push(url),
    untilInterrupted: () => interruption.signal,
    interrupt: () => interruption.abort(),
  };
}
