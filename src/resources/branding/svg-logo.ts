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

type Attributes = ReadonlyMap<string, string>;

const keepAllowed = (all: readonly (readonly [string, string | undefined])[]): Attributes =>
  new Map(
    all.flatMap(([name, value]) =>
      value !== undefined && ATTRIBUTES.has(name) && isAllowed(value) ? [[name, value]] : [],
    ),
  );

/** The allowed attributes that a style such as `fill: #f00; stroke: none` stands for. */
const readStyle = (style: string): Attributes =>
  keepAllowed(
    style.split(";").map((one) => {
      const [name = "", value] = one.split(":", 2).map((part) => part.trim());
      return [name, value];
    }),
  );

/** What a file's style sheets say of classes, and whether they say more. */
interface Sheet {
  classes: Map<string, Attributes>;
  saysMore: boolean;
}

/** Adds the rules of a style sheet, as editors write them: `.st0, .st1 { fill: #f00 }`. Others are not understood. */
function addRules(text: string, sheet: Sheet): void {
  const rules = text.split("}");
  if (rules.pop()?.trim() !== "") sheet.saysMore = true;
  for (const rule of rules) {
    const [selectors = "", style = ""] = rule.split("{", 2);
    const said = readStyle(style);
    for (const selector of selectors.split(",")) {
      const name = /^\s*\.([\w-]+)\s*$/.exec(selector)?.[1];
      if (name === undefined) sheet.saysMore = true;
      else sheet.classes.set(name, new Map([...(sheet.classes.get(name) ?? []), ...said]));
    }
  }
}

function addSheets(element: XmlElement, sheet: Sheet): Sheet {
  for (const child of element.children) {
    if (!(child instanceof XmlElement)) continue;
    if (child.name === "style") addRules(child.text, sheet);
    else addSheets(child, sheet);
  }
  return sheet;
}

/** The allowed attributes. Those of its classes win over its own, and those of its `style` over both. */
function attributesOf({ attributes }: XmlElement, { classes }: Sheet): Attributes {
  const { style = "", class: names = "", ...own } = attributes;
  const ofClasses = names.split(/\s/).flatMap((name) => [...(classes.get(name) ?? [])]);
  return new Map([...keepAllowed(Object.entries(own)), ...ofClasses, ...readStyle(style)]);
}

const MASKS: ReadonlySet<string> = new Set(["mask", "clipPath"]);
const MASKING: ReadonlySet<string> = new Set(["mask", "clip-path"]);

/** A mask is not masked: a few that use one another twice would be drawn for minutes. */
function rebuild(element: XmlElement, sheet: Sheet, leftOut: Set<string>, isInMask = false): string {
  const { name, children } = element;
  if (name === "style" && !sheet.saysMore) return "";
  if (!ELEMENTS.has(name)) {
    if (!UNSEEN.test(name) && /^\w{1,30}$/.test(name) && leftOut.size < MAX_SAID) leftOut.add(name);
    return "";
  }
  const isMask = isInMask || MASKS.has(name);
  const attributes = [...attributesOf(element, sheet)].flatMap(([attribute, value]) =>
    isMask && MASKING.has(attribute) ? [] : ` ${attribute}="${value}"`,
  );
  const inner = children.flatMap((child) =>
    child instanceof XmlElement ? rebuild(child, sheet, leftOut, isMask) : [],
  );
  return `<${name}${attributes.join("")}>${inner.join("")}</${name}>`;
}

/** Throws if the text is no XML. Undefined if it is no SVG that has a size and draws something. */
export function cleanSvg(text: string): { svg: string; leftOut: string[] } | undefined {
  const { root } = parseXml(text);
  if (root?.name !== "svg") return undefined;
  const sheet = addSheets(root, { classes: new Map(), saysMore: false });
  const attributes = attributesOf(root, sheet);
  if (!attributes.has("viewBox") && !(attributes.has("width") && attributes.has("height"))) return undefined;
  const leftOut = new Set<string>();
  const svg = rebuild(root, sheet, leftOut);
  if (!/<(?:path|rect|circle|ellipse|line|polyline|polygon)\b/.test(svg)) return undefined;
  return { svg: svg.replace("<svg", () => '<svg xmlns="http://www.w3.org/2000/svg"'), leftOut: [...leftOut] };
}
