import manifest from '../../package.json' with { type: 'json' };

/** The release that describes itself in the documents of both APIs. All packages have the same version. */
const API_VERSION = manifest.version;

/** The parts of `info` that do not depend on the API. */
export const apiInfo = (docsBaseUrl: string) => ({
  version: API_VERSION,
  contact: { name: 'Operator of this installation', url: docsBaseUrl },
  license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
});
