import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { ApiEnv } from "../api/auth";
import { BEARER, IF_NONE_MATCH, refusals } from "../api/contract";
import { pathId } from "../api/fields";
import { operation } from "../api/operation";
import { between, wholeNumber } from "../lib/validation";
import { assertQrPath, getLinkQr } from "./service";

const query = z.object({
  format: z.enum(["svg", "png"]).default("svg"),
  size: wholeNumber(64, 2048, between(64, 2048))
    .default(512)
    .openapi({ type: "integer", minimum: 64, maximum: 2048, default: 512, description: "Pixels" }),
  margin: wholeNumber(4, 16, between(4, 16))
    .default(4)
    .openapi({ type: "integer", minimum: 4, maximum: 16, default: 4, description: "Modules of quiet zone" }),
  ecc: z.enum(["L", "M", "Q", "H"]).default("M").openapi({ description: "Error correction level" }),
  download: z.enum(["1"]).optional().openapi({ description: "`1` sends the file as an attachment" }),
});

const getLinkQrRoute = createRoute({
  method: "get",
  path: "/api/v1/links/{id}/qr",
  operationId: "getLinkQr",
  summary: "Get a link's QR code",
  tags: ["Links"],
  security: BEARER,
  request: { params: z.object({ id: pathId() }), query, headers: IF_NONE_MATCH },
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

const TYPES = { svg: "image/svg+xml", png: "image/png" };

export function registerQr(app: OpenAPIHono<ApiEnv>): void {
  operation(app, getLinkQrRoute, {
    query: { refusesUnknown: true },
    assertPath: (ctx, { id }) => assertQrPath(ctx, id),
    run: async (ctx, { params, query: options }) => ({
      ...(await getLinkQr(ctx, params.id, options)),
      disposition: options.download === "1" ? "attachment" : "inline",
    }),
    reply: ({ bytes, slug, format, disposition }) => ({
      status: 200,
      file: {
        bytes,
        headers: {
          "Content-Type": TYPES[format],
          "Content-Disposition": `${disposition}; filename="${slug}.${format}"`,
          "X-Content-Type-Options": "nosniff",
          "Content-Security-Policy": "default-src 'none'; sandbox",
          "Cache-Control": "private, no-cache",
        },
      },
    }),
  });
}
