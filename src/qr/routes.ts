import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { BEARER, IF_NONE_MATCH, refusals } from "../http/contract";
import { pathId } from "../http/fields";
import { operation } from "../http/operation";
import type { TracedEnv } from "../http/trace";
import { qrHeaders, qrQuery } from "./schema";
import { assertQrPath, getLinkQr } from "./service";

const getLinkQrRoute = createRoute({
  method: "get",
  path: "/api/v1/links/{id}/qr",
  operationId: "getLinkQr",
  summary: "Get a link's QR code",
  tags: ["Links"],
  security: BEARER,
  request: { params: z.object({ id: pathId() }), query: qrQuery, headers: IF_NONE_MATCH },
  responses: {
    200: {
      description: "The QR file",
      content: {
        "image/svg+xml": {
          schema: z.string().openapi({ example: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
        },
        "image/png": { schema: z.string().openapi({ format: "binary" }) },
      },
    },
    304: { description: "Not modified" },
    ...refusals(404, 422),
  },
});

export function registerQr(app: OpenAPIHono<TracedEnv>): void {
  operation(app, getLinkQrRoute, {
    query: { unknown: (name) => `The ${name} parameter is not supported.` },
    assertPath: (ctx, { id }) => assertQrPath(ctx, id),
    run: async (ctx, { params, query: options }) => ({
      ...(await getLinkQr(ctx, params.id, options)),
      download: options.download,
    }),
    reply: ({ download, ...file }) => ({
      status: 200,
      file: { bytes: file.bytes, headers: qrHeaders(file, download) },
    }),
  });
}
