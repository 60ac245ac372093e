import { registerHooks } from 'node:module';

/** With `node --import` of this file, the gateway runs unchanged except for the module that records usage. */
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.endsWith('/usage/gateway-usage.ts')) return next(specifier, context);
    return next(new URL('no-usage.ts', import.meta.url).href, context);
  },
});
