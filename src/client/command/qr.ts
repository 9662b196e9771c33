import { extname } from "node:path";
import { Argument } from "commander";
import { Refusal } from "../exit";
import { writeFileAtomically } from "../file/urls";
import { findLink, readQr } from "../find-links";
import { command } from "./command-type";
import { LINK_DETAILS } from "./link-fields";
import { printResult } from "./output";

const FORMATS = ["svg", "png"] as const;

export const qrCommand = command({
  name: "qr",
  summary: "Write the QR file of a link",
  details: LINK_DETAILS,
  operand: new Argument("<SLUG>"),
  options: {
    output: {
      value: "FILE",
      short: "o",
      description: "The file to write: NAME.svg, NAME.png, or - for standard output",
    },
    format: { value: "FORMAT", choices: FORMATS, description: "For another file name, svg by default" },
    size: { value: "PIXELS", isNumber: true, description: "Size, 64 to 2048" },
    margin: { value: "MODULES", isNumber: true, description: "Quiet zone, 4 to 16" },
    ecc: { value: "LEVEL", choices: ["L", "M", "Q", "H"], description: "Error correction" },
  },
  examples: ["waymark qr summer -o summer.svg", "waymark qr summer -o poster.png --size 2048 --ecc H"],
  async run(context, { output: path, format: given, ...options }, name) {
    if (path === undefined) throw new Refusal("-o FILE is missing.");
    const isNamed = (one: string) => extname(path).toLowerCase() === `.${one}`;
    const format = given ?? (path === "-" ? "svg" : FORMATS.find(isNamed));
    if (format === undefined) throw new Refusal(`${path} must end in .svg or .png, or give --format.`);
    if (path === "-" && context.io.stdout.isTerminal && format === "png") {
      throw new Refusal("A PNG file is not for a terminal. Give -o FILE.");
    }
    const { client } = context.connect();
    const link = await findLink(client, name);
    const bytes = await readQr(client, link, { format, ...options });
    if (path === "-") return void context.io.stdout.write(bytes);
    await writeFileAtomically(path, bytes);
    const { slug, short_url: url, id } = link;
    printResult(context, { file: path, slug, url, id }, [path], `${path} encodes ${url}.`);
  },
});
