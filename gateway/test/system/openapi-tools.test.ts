import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, test } from 'vitest';
import { DOCUMENTS } from '../support/documents.ts';

/** openapi-rules.test.ts compares examples of media types with their schemas, in much less time than Spectral. */
const EXAMPLES_OFF = { 'oas3-valid-media-example': 'off' } as const;

describe.each(Object.entries(DOCUMENTS))('the document of %s', (_api, document) => {
  test('an OpenAPI document passes the recommended rules of Redocly without a warning', async () => {
    const problems = await lintFromString({
      source: JSON.stringify(document),
      config: await createConfig({ extends: ['recommended'] }),
    });
    expect(
      problems.map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer })),
    ).toEqual([]);
  });

  test('an OpenAPI document passes the recommended rules of Spectral without a warning', async () => {
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [[oas as never, 'recommended']], rules: EXAMPLES_OFF });
    const problems = await spectral.run(document as Record<string, unknown>);
    expect(problems.map(({ code, message, path }) => ({ code, message, at: path.join('/') }))).toEqual([]);
  }, 60_000);
});
