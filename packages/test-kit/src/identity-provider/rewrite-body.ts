import type { ServerResponse } from 'node:http';

/** Changes the JSON that is written to the response with one `end`. */
export function rewriteBody(
  res: ServerResponse,
  rewrite: (body: Record<string, unknown>) => Promise<Record<string, unknown>>,
): void {
  const end = res.end.bind(res) as (text: string) => ServerResponse;
  res.end = ((text: string | Buffer) => {
    void rewrite(JSON.parse(String(text))).then((body) => {
      const rewritten = JSON.stringify(body);
      res.setHeader('content-length', Buffer.byteLength(rewritten));
      end(rewritten);
    });
    return res;
  }) as ServerResponse['end'];
}
