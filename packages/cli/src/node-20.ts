/**
 * Functions that Node 20 lacks. The program runs there, and the packages that it is built from are written for the Node of the platform.
 * `main.ts` imports this file first.
 */

URL.parse ??= (text, base) => (URL.canParse(text, base) ? new URL(text, base) : null);

Promise.withResolvers ??= <Value>() => {
  let resolve!: PromiseWithResolvers<Value>['resolve'];
  let reject!: PromiseWithResolvers<Value>['reject'];
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
};
