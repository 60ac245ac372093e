import { createPage, type Page, type Section } from '../page.ts';
import { adminApi, BASE_URLS, type OpenapiDocument, publicApi } from './documents.ts';
import { fieldsTable, joined, jsonBlock, table } from './markdown.ts';
import { operationPage, type ReferenceOperation, titleOf } from './operation-page.ts';

/** A page that lists the operations and events of the payments API, and a page for each. */
export function paymentsApiSections(): Section[] {
  const document = publicApi();
  const operations = operationsOf(document, () => 'reference/payments', {
    baseUrl: BASE_URLS.sandbox,
    credential: 'KEY',
  });
  const events = eventPages(document);
  const overview = createPage(
    'reference/payments-api',
    'Payments API',
    joined(
      document.info.description,
      'In the examples, `$KEY` is an API key of the sandbox. [Authentication](../guides/authentication.md) and [errors](../errors.md) are the same for all operations.',
      '## Operations',
      list(operations),
      '## Events',
      'Webhook endpoints receive these events. [Receive webhooks](../guides/receive-webhooks.md) says how.',
      table(
        ['Event', 'Sent when'],
        events.map(({ path, title, summary }) => [`[${title}](../${path}.md)`, summary]),
      ),
    ),
  );
  return [
    { title: 'Payments API', pages: [overview, ...operations.map(operationPage)] },
    { title: 'Events', pages: events },
  ];
}

/** A page that lists the operations of the admin API by tag, and a page for each. */
export function adminApiSections(): Section[] {
  const document = adminApi();
  const operations = operationsOf(document, (tag) => `reference/admin/${tag}`, {
    baseUrl: document.servers[0]?.url ?? '',
    credential: 'TOKEN',
  });
  const tags = document.tags.map(({ name, description }) => ({
    title: (name[0] ?? '').toUpperCase() + name.slice(1),
    description,
    operations: operations.filter(({ operation }) => operation.tags[0] === name),
  }));
  const overview = createPage(
    'reference/admin-api',
    'Admin API',
    joined(
      'Manages accounts, applications, API keys, webhooks, and payments of a team, and reads usage, requests, and the audit log.',
      '[The admin API](../guides/admin-api.md) describes credentials, roles, lists, and limits. In the examples, `$TOKEN` is an [API token](../guides/automate-with-api-tokens.md) or a session token.',
      ...tags.map(({ title, description, operations }) =>
        joined(`## ${title}`, description, list(operations)),
      ),
    ),
  );
  return [
    { title: 'Admin API', pages: [overview] },
    ...tags.map(({ title, operations }) => ({ title, pages: operations.map(operationPage) })),
  ];
}

function operationsOf(
  { paths }: OpenapiDocument,
  folderOf: (tag: string) => string,
  samples: { baseUrl: string; credential: string },
): ReferenceOperation[] {
  return Object.entries(paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path: `${folderOf(operation.tags[0])}/${kebab(operation.operationId)}`,
      method,
      url,
      operation,
      samples: operation.security?.length === 0 ? { ...samples, credential: null } : samples,
    })),
  );
}

function eventPages({ webhooks = {} }: OpenapiDocument): Page[] {
  return Object.entries(webhooks).map(([type, { post }]) => {
    const content = post.requestBody?.content['application/json'];
    return createPage(
      `reference/events/${type.replace('payment.', '').replaceAll('_', '-')}`,
      `\`${type}\``,
      joined(
        post.description,
        content && jsonBlock(content.example),
        content && `## Fields\n\n${fieldsTable(content.schema, { isRequest: false })}`,
      ),
    );
  });
}

function list(operations: readonly ReferenceOperation[]): string {
  return table(
    ['Operation', 'Request'],
    operations.map(({ path, method, url, operation }) => [
      `[${titleOf(operation).title}](${path.replace('reference/', './')}.md)`,
      `\`${method.toUpperCase()} ${url}\``,
    ]),
  );
}

function kebab(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
