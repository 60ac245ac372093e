import { registerHooks } from 'node:module';

/** `node --import` of this runs the gateway as it is, but for the one module that records usage. */
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.endsWith('/usage/gateway-usage.ts')) return next(specifier, context);
    return next(new URL('no-usage.ts', import.meta.url).href, context);
  },
});
