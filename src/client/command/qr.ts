import { extname } from "node:path";
import { WaymarkError } from "../api/error";
import type { QrOptions } from "../api/resources";
import { writeFileAtomically } from "../file/urls";
import type { Args, Options } from "./args";
import { command } from "./command";
import { EXIT } from "./exit";
import { findLink, LINK_DETAILS } from "./find-link";
import { print, printJson, say } from "./output";
import { UsageError } from "./usage-error";

const FORMATS = ["svg", "png"] as const;

const OPTIONS = {
  output: {
    value: "FILE",
    short: "o",
    description: "The file to write: NAME.svg, NAME.png, or - for standard output",
  },
  format: { value: "FORMAT", choices: FORMATS, description: "For another file name, svg by default" },
  size: { value: "PIXELS", description: "Size, 64 to 2048" },
  margin: { value: "MODULES", description: "Quiet zone, 4 to 16" },
  ecc: { value: "LEVEL", choices: ["L", "M", "Q", "H"], description: "Error correction" },
} as const satisfies Options;

type Format = (typeof FORMATS)[number];

function formatOf(path: string, given: string | undefined): Format {
  const extension = extname(path).slice(1).toLowerCase();
  const format = FORMATS.find((one) => one === (given ?? extension));
  if (format !== undefined) return format;
  if (path === "-") return "svg";
  throw new UsageError(`${path} must end in .svg or .png, or give --format.`);
}

function toQrOptions(args: Args<keyof typeof OPTIONS>, format: Format): QrOptions {
  const [size, margin] = [args.number("size"), args.number("margin")];
  const ecc = args.text("ecc") as QrOptions["ecc"];
  return {
    format,
    ...(size === undefined ? {} : { size }),
    ...(margin === undefined ? {} : { margin }),
    ...(ecc === undefined ? {} : { ecc }),
  };
}

export const qrCommand = command({
  name: "qr",
  summary: "Write the QR file of a link",
  details: LINK_DETAILS,
  operand: { name: "SLUG" },
  options: OPTIONS,
  examples: ["waymark qr summer -o summer.svg", "waymark qr summer -o poster.png --size 2048 --ecc H"],
  async run(context, args) {
    const path = args.text("output");
    if (path === undefined) throw new UsageError("-o FILE is missing.");
    const format = formatOf(path, args.text("format"));
    if (path === "-" && context.io.stdout.isTerminal && format === "png") {
      throw new UsageError("A PNG file is not for a terminal. Give -o FILE.");
    }
    const options = toQrOptions(args, format);
    const { client } = await context.connect();
    const link = await findLink(client, args.operand);
    if (link.status === "archived") {
      throw new WaymarkError(`/${link.slug} is archived. Archived links have no QR file.`, { status: 404 });
    }
    const bytes = await client.links.qr(link.id, options);
    if (path === "-") context.io.stdout.write(bytes);
    else {
      await writeFileAtomically(path, bytes);
      if (context.json) printJson(context, { file: path, slug: link.slug, url: link.short_url, id: link.id });
      else print(context, `${path}\n`);
      say(context, `${path} encodes ${link.short_url}.`);
    }
    return EXIT.done;
  },
});
