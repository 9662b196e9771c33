import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanPng, isPng } from "../../../src/resources/branding/png-logo";
import { cleanSvg } from "../../../src/resources/branding/svg-logo";
import { qrMatrix, renderPng } from "../../../src/resources/qr/render";

const NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"';
const svg = (inner: string, more = "") => `<svg ${NAMESPACE} viewBox="0 0 9 9"${more}>${inner}</svg>`;
const PATH = '<path d="M0 0h9"></path>';

describe("an SVG", () => {
  it.each([
    ["keeps shapes, gradients and colours", PATH, PATH],
    [
      "keeps references within itself",
      `<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient></defs><rect fill="url(#a)" width="9" height="9"/>`,
      `<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs><rect fill="url(#a)" width="9" height="9"></rect>`,
    ],
    [
      "loses what editors leave",
      `<title>x</title><metadata/><sodipodi:namedview xmlns:sodipodi="s"/>${PATH}`,
      PATH,
    ],
    ["loses comments, texts and instructions", `<!-- a --><?php a ?>text<![CDATA[<script/>]]>${PATH}`, PATH],
    [
      "has styles as attributes",
      '<path d="M0 0h9" style="fill: #f00; background: url(//a.example)"/>',
      '<path d="M0 0h9" fill="#f00"></path>',
    ],
    [
      "has what style sheets say of classes as attributes, above its own and below its styles",
      '<defs><style type="text/css"><![CDATA[\n .st0, .st1 { fill: #f00; font-size: 9px }\n.st1{stroke:#00f}]]></style></defs>' +
        '<path class="st0" d="M0 0h9" fill="#000"/><path class="none st1 " d="M0 0h9" style="fill:#0f0"/>',
      '<defs></defs><path d="M0 0h9" fill="#f00"></path><path d="M0 0h9" fill="#0f0" stroke="#00f"></path>',
    ],
    [
      "loses addresses in style sheets",
      `<style>.a{fill:url(//a.example/#b);mask:url(a.svg#b)}</style><path class="a" d="M0 0h9"/>`,
      PATH,
    ],
    [
      "keeps masks, but none of a mask",
      `<mask id="a"><path d="M0 0h9" mask="url(#b)" style="clip-path:url(#c)"/></mask>` +
        `<clipPath id="c" clip-path="url(#d)"><path d="M0 0h9"/></clipPath><g mask="url(#a)"><path d="M0 0h9" clip-path="url(#c)"/></g>`,
      `<mask id="a">${PATH}</mask><clipPath id="c">${PATH}</clipPath><g mask="url(#a)"><path d="M0 0h9" clip-path="url(#c)"></path></g>`,
    ],
    ["loses events", '<path d="M0 0h9" onclick="alert(1)" onload="a"/>', PATH],
    [
      "loses addresses",
      '<path d="M0 0h9" fill="url(https://a.example/#b)" href="//a" xlink:href="//a" xmlns:xlink="x"/>',
      PATH,
    ],
    ["loses addresses in entities", '<path d="M0 0h9" fill="url&#40;https&#58;//a.example&#41;"/>', PATH],
    ["loses addresses behind a line break", '<path d="M0 0h9" fill="&#10;url(a.svg)"/>', PATH],
    [
      "loses escapes of style sheets",
      '<path d="M0 0h9" fill="u\\72l(//a)" stroke="image-set(\'a\')"/>',
      PATH,
    ],
  ])("%s", (_, inner, kept) => {
    expect(cleanSvg(svg(inner))?.svg).toBe(svg(kept));
  });

  it.each([
    "script",
    "style",
    "image",
    "use",
    "foreignObject",
    "a",
    "animate",
    "set",
    "filter",
    "text",
    "iframe",
    "pattern",
  ])("loses <%s> with all that is in it, and says so", (name) => {
    expect(cleanSvg(svg(`<${name} href="#a">alert(1)${PATH}</${name}>${PATH}`))).toEqual({
      svg: svg(PATH),
      leftOut: [name],
    });
  });

  it.each([
    "@import url(//a.example/a.css);",
    "@media print{.a{fill:#00f}}",
    "path{fill:#00f}",
    ".a>.b{fill:#00f}",
    ".a{fill:#00f",
    "/* a */.a{fill:#00f}",
  ])("says that it loses a style sheet with %s", (more) => {
    const path = '<path class="a" d="M0 0h9"/>';
    expect(
      cleanSvg(svg(`<style>.a{fill:#f00}</style><style>${more.replace(">", "&gt;")}</style>${path}`)),
    ).toEqual({
      svg: svg('<path d="M0 0h9" fill="#f00"></path>'),
      leftOut: ["style"],
    });
  });

  it.each([
    ["another root", `<html>${PATH}</html>`],
    ["no size", `<svg>${PATH}</svg>`],
    ["nothing drawn", svg("<g/>")],
    ["nothing drawn but text", svg("<text>a</text>")],
  ])("with %s is refused", (_, text) => {
    expect(cleanSvg(text)).toBeUndefined();
  });

  it.each([
    ["no XML", "a"],
    ["an open element", `${svg(PATH).slice(0, -6)}`],
    ["entities of its own", `<!DOCTYPE svg [<!ENTITY a "b">]>${svg("&a;")}`],
    ["HTML", "<svg><p>a<br></svg>"],
  ])("with %s is refused as XML", (_, text) => {
    expect(() => cleanSvg(text)).toThrow();
  });

  it("never has anything that could run or load, whatever is in it", () => {
    const name = fc.constantFrom("g", "path", "script", "a", "image", "style", "svg", "use", "defs", "mask");
    const attribute = fc.constantFrom(
      "d",
      "fill",
      "href",
      "onload",
      "style",
      "xlink:href",
      "mask",
      "id",
      "class",
    );
    const value = fc.oneof(
      fc.string().map((text) => text.replace(/[<&"]/g, "")),
      fc.constantFrom("url(//a)", "url(#a)", "javascript:a", "data:a", "&#106;avascript&#58;a", "URL( //a )"),
    );
    const { element } = fc.letrec<{ element: string }>((tie) => ({
      element: fc.oneof(
        { maxDepth: 3 },
        fc.constant(PATH),
        fc
          .tuple(name, attribute, value, fc.array(tie("element"), { maxLength: 2 }))
          .map(([tag, key, text, inner]) => `<${tag} ${key}="${text}">${inner.join("")}</${tag}>`),
      ),
    }));
    fc.assert(
      fc.property(element, (inner) => {
        const cleaned = (() => {
          try {
            return cleanSvg(svg(inner + PATH))?.svg;
          } catch {
            return undefined;
          }
        })();
        if (cleaned === undefined) return;
        const rest = cleaned.replace(NAMESPACE, "");
        expect(rest).not.toMatch(/script|image|<a\b|<use|style|href|on\w+=|:|\/\/|&|url\((?!#)/i);
        expect(cleanSvg(cleaned)?.svg).toBe(cleaned);
      }),
    );
  });

  it("of 20 KB in any depth ends in a sentence or a picture", () => {
    const deep = svg("<g>".repeat(2_800) + PATH + "</g>".repeat(2_800));
    expect(() => {
      try {
        cleanSvg(deep);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }).not.toThrow();
  });
});

describe("a PNG", async () => {
  const png = await renderPng(qrMatrix("https://s.example/a", "M"), 100, 4, 3_000);
  const withByte = (at: number, value: number) => png.with(at, value);
  const text = Buffer.from("0000000474455874612e6200", "hex");

  it("keeps its picture and loses its resolution, and stays one", () => {
    const cleaned = cleanPng(png);
    expect(isPng(png)).toBe(true);
    expect(Buffer.from(cleaned ?? []).includes("pHYs")).toBe(false);
    expect(Buffer.from(png).includes("pHYs")).toBe(true);
    expect(Buffer.from(cleaned ?? []).includes("IDAT")).toBe(true);
    expect(cleanPng(cleaned ?? new Uint8Array())).toEqual(cleaned);
  });

  it.each([
    ["cut", png.slice(0, -1)],
    ["longer than itself", Uint8Array.from([...png, 0])],
    ["with a second file behind it", Uint8Array.from([...png, ...png.slice(8)])],
    [
      "with a chunk that has a wrong checksum",
      Uint8Array.from([...png.slice(0, 33), ...text, ...png.slice(33)]),
    ],
    ["with a changed byte", withByte(20, 1)],
    ["without chunks", png.slice(0, 8)],
    ["without its header", Uint8Array.from([...png.slice(0, 8), ...png.slice(33)])],
  ])("%s is refused", (_, bytes) => {
    expect(cleanPng(bytes)).toBeUndefined();
  });

  it("of more than 2,000 pixels is refused", async () => {
    const matrix = qrMatrix("https://s.example/a", "M");
    expect(cleanPng(await renderPng(matrix, 2_000, 4))).toBeDefined();
    expect(cleanPng(await renderPng(matrix, 2_001, 4))).toBeUndefined();
  });
});
