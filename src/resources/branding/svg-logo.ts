import { parseXml, XmlElement } from "@rgrove/parse-xml";

// An SVG of strangers is parsed and written anew, with what is on these lists alone. Nothing on them can run or load anything.

const ELEMENTS: ReadonlySet<string> = new Set(
  "svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop clipPath mask".split(
    " ",
  ),
);

const ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    "id d x y x1 y1 x2 y2 cx cy r rx ry fx fy width height points viewBox preserveAspectRatio transform " +
    "gradientUnits gradientTransform spreadMethod offset clipPathUnits maskUnits maskContentUnits fill fill-rule " +
    "fill-opacity clip-rule clip-path mask color display opacity stop-color stop-opacity stroke stroke-dasharray " +
    "stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width visibility"
  ).split(" "),
);

/** Numbers, words, colours, and references within the file. Without a colon, quotation mark or slash there is no address. */
const isAllowed = (value: string): boolean =>
  /url/i.test(value) ? /^url\(#[\w.-]{1,100}\)$/i.test(value) : /^[\w\s.,#%()+-]*$/.test(value);

/** What editors leave in a file. Nobody misses it. */
const UNSEEN = /^(?:title|desc|metadata)$|:/;
const MAX_SAID = 5;

/** The allowed attributes. Those in a `style` come after, since they win. */
function attributesOf({ attributes }: XmlElement): Map<string, string> {
  const { style = "", ...own } = attributes;
  const styled = style.split(";").map((one) => one.split(":", 2).map((part) => part.trim()));
  const all = [...Object.entries(own), ...styled] as [string, string | undefined][];
  return new Map(
    all.flatMap(([name, value]) =>
      value !== undefined && ATTRIBUTES.has(name) && isAllowed(value) ? [[name, value]] : [],
    ),
  );
}

function rebuild(element: XmlElement, leftOut: Set<string>): string {
  const { name, children } = element;
  if (!ELEMENTS.has(name)) {
    if (!UNSEEN.test(name) && /^\w{1,30}$/.test(name) && leftOut.size < MAX_SAID) leftOut.add(name);
    return "";
  }
  const attributes = [...attributesOf(element)].map(([attribute, value]) => ` ${attribute}="${value}"`);
  const inner = children.flatMap((child) => (child instanceof XmlElement ? rebuild(child, leftOut) : []));
  return `<${name}${attributes.join("")}>${inner.join("")}</${name}>`;
}

/** Throws if the text is no XML. Undefined if it is no SVG that has a size and draws something. */
export function cleanSvg(text: string): { svg: string; leftOut: string[] } | undefined {
  const { root } = parseXml(text);
  if (root?.name !== "svg") return undefined;
  const attributes = attributesOf(root);
  if (!attributes.has("viewBox") && !(attributes.has("width") && attributes.has("height"))) return undefined;
  const leftOut = new Set<string>();
  const svg = rebuild(root, leftOut);
  if (!/<(?:path|rect|circle|ellipse|line|polyline|polygon)\b/.test(svg)) return undefined;
  return { svg: svg.replace("<svg", () => '<svg xmlns="http://www.w3.org/2000/svg"'), leftOut: [...leftOut] };
}
