import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { pathId } from "../http/common-fields";
import { empty, IF_NONE_MATCH, notModified, refusals } from "../http/contract";
import { operation } from "../http/operation";
import type { TracedEnv } from "../http/trace";
import { assertQrPath, getLinkQr } from "../resources/qr/link-qr";
import { qrHeaders, qrQuery } from "../resources/qr/qr-schema";

const getLinkQrRoute = createRoute({
  method: "get",
  path: "/api/v1/links/{id}/qr",
  operationId: "getLinkQr",
  summary: "Get a link's QR code",
  description:
    "Draws `short_url`, black on white. The same request gives the same bytes. An archived link has no QR file (404): archiving stops new prints, while printed codes go on working. A deleted link has none either. A parameter that is not listed is 422, and so is a size at which a module would be smaller than 2 pixels (on `qr`).",
  request: { params: z.object({ id: pathId("link") }), query: qrQuery, headers: IF_NONE_MATCH },
  responses: {
    200: {
      ...empty("The QR file", "ETag"),
      content: {
        "image/svg+xml": {
          schema: z.string().openapi({ example: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
        },
        "image/png": { schema: z.unknown().openapi({ contentMediaType: "image/png" } as object) },
      },
    },
    304: notModified(),
    ...refusals(404, 422),
  },
});

export function registerQr(app: OpenAPIHono<TracedEnv>): void {
  operation(app, getLinkQrRoute, {
    query: { unknown: "unknown_parameter" },
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
