/** A job was rejected without being started, because too many others wait. */
export class QueueFull extends Error {
  constructor() {
    super('The queue is full.');
    this.name = 'QueueFull';
  }
}

export interface BoundedQueue {
  /** Resolves to the result of the job, once it is its turn. Throws QueueFull, without starting it, when too many wait. */
  run<Result>(job: () => Promise<Result>): Promise<Result>;
  /** Whether no job is running. */
  isIdle(): boolean;
}

/** Runs at most `atOnce` jobs at a time, in the order in which they came. */
export function createBoundedQueue({
  atOnce,
  maxWaiting,
}: {
  atOnce: number;
  maxWaiting: number;
}): BoundedQueue {
  const waiting: (() => void)[] = [];
  let running = 0;

  function end(): void {
    const next = waiting.shift();
    // The next job takes the place of this one, so `running` stays as it is.
    if (next) next();
    else running -= 1;
  }

  return {
    async run(job) {
      if (running < atOnce) running += 1;
      else if (waiting.length < maxWaiting) await new Promise<void>((resolve) => waiting.push(resolve));
      else throw new QueueFull();
      try {
        return await job();
      } finally {
        end();
      }
    },
    isIdle: () => running === 0,
  };
}
