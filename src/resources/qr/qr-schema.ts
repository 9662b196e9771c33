import { z } from "@hono/zod-openapi";
import { integerParameter } from "../../http/common-fields";

export const qrQuery = z.object({
  format: z
    .enum(["svg", "png"])
    .default("svg")
    .openapi({ description: "The format of the file", example: "png" }),
  size: integerParameter("The width and height in pixels", { minimum: 64, maximum: 2048, default: 512 }),
  margin: integerParameter("The width of the white margin in modules", {
    minimum: 4,
    maximum: 16,
    default: 4,
  }),
  ecc: z.enum(["L", "M", "Q", "H"]).default("M").openapi({
    description: "The level of error correction: about 7, 15, 25 or 30 % of the code may be damaged",
    example: "M",
  }),
  download: z
    .enum(["1"])
    .optional()
    .openapi({ description: "`1` makes a browser save the file", example: "1" }),
});

const TYPES = { svg: "image/svg+xml", png: "image/png" };

export const qrHeaders = (file: { slug: string; format: "svg" | "png" }, download: "1" | undefined) => ({
  "Content-Type": TYPES[file.format],
  "Content-Disposition": `${download === "1" ? "attachment" : "inline"}; filename="${file.slug}.${file.format}"`,
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "Cache-Control": "private, no-cache",
});
