import jsQR from "jsqr";
import { describe, expect, it } from "vitest";
import { contrastToWhite } from "../../../src/lib/colour";
import { check } from "../../../src/lib/validation";
import { brandedSvg, cellsOf, type Look, layOut } from "../../../src/resources/code-brandings/branded-code";
import { codeBrandingInput } from "../../../src/resources/code-brandings/code-branding-schema";
import { drawPixels, isReadBack, PICTURES } from "../../../src/resources/code-brandings/read-back";

const { LONG, SCALE } = process.env;
const COUNT = SCALE ? 1_000 : LONG ? 200 : 50;

/** Numbers from 0 to 1, the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

const next = numbers(44);
const below = (max: number): number => Math.floor(next() * max);
const LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
const textOf = (length: number): string =>
  Array.from({ length }, () => LETTERS[below(LETTERS.length)]).join("");
const hex = (): string => below(256).toString(16).padStart(2, "0");
const HOSTS = ["s.io", "go.example.com", "links.marketing.example.org"];
const LOGO = "data:image/png;base64,AAAA";

const randomLook = (): Look => ({
  colour: `#${hex()}${hex()}${hex()}`,
  logo: below(2) === 0 ? null : LOGO,
  call: below(2) === 0 ? null : textOf(1 + below(24)),
});

const randomUrl = (): string => `https://${HOSTS[below(HOSTS.length)]}/${textOf(1 + below(64))}`;

const isColourAllowed = ({ colour, call }: Look): boolean =>
  check(codeBrandingInput, { name: "Random", colour, call }).ok;

/** With the decoder that is not the one of the service. */
function readOtherwise(url: string, look: Look): (string | undefined)[] {
  const cells = cellsOf(layOut(url, look));
  // At half resolution it does not read black on white of this length either.
  return PICTURES.slice(0, 3).map((picture) => {
    const { data, width, height } = drawPixels(cells, look.colour, picture);
    return jsQR(data, width, height, { inversionAttempts: "dontInvert" })?.data;
  });
}

it(`of ${COUNT} random brandings, all that are offered are read by two decoders`, async () => {
  const outcomes = { light: 0, unread: 0, offered: 0 };
  for (let number = 0; number < COUNT; number++) {
    const [look, url] = [randomLook(), randomUrl()];
    if (!isColourAllowed(look)) {
      expect(contrastToWhite(look.colour)).toBeLessThan(7);
      outcomes.light += 1;
      // The next one is as dark as it must be, so that most of them are drawn.
      look.colour = `#${["00", "1f", "3b"][below(3)]}${["00", "22", "41"][below(3)]}${["00", "4a", "8f"][below(3)]}`;
      expect(isColourAllowed(look)).toBe(true);
    }
    if (!(await isReadBack(url, look))) {
      outcomes.unread += 1;
      continue;
    }
    outcomes.offered += 1;
    expect(readOtherwise(url, look), `${url} ${JSON.stringify(look)}`).toEqual([url, url, url]);
  }
  expect(outcomes.offered).toBeGreaterThan(COUNT * 0.6);
  expect(outcomes.light).toBeGreaterThan(0);
  console.log(outcomes);
});

describe("what is not read is not offered", () => {
  const look = { colour: "#0b3d91", logo: LOGO, call: "Scan me" };

  it("an address that is too long for 25 mm", async () => {
    const url = `https://${"long.".repeat(30)}example.com/${"a".repeat(64)}`;
    expect(await isReadBack(url, look)).toBe(false);
    expect(await isReadBack("https://go.example.com/summer", look)).toBe(true);
  });

  it("a colour that is as light as paper, if it were allowed", async () => {
    expect(await isReadBack("https://go.example.com/summer", { ...look, colour: "#fefefe" })).toBe(false);
  });
});

describe("the contrast to white", () => {
  it.each([
    ["#000000", 21],
    ["#ffffff", 1],
    ["#595959", 7],
    ["#0000ff", 8.59],
    ["#ff0000", 4],
    ["#ffff00", 1.07],
  ])("of %s is %d", (colour, contrast) => {
    expect(contrastToWhite(colour)).toBeCloseTo(contrast, 1);
  });
});

/** What an SVG of rectangles draws, in cells of half a module; the white square and the logo are not in it. */
function paint(svg: string): { columns: number; rows: number; dark: Uint8Array } {
  const [, width = 0, height = 0] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)?.map(Number) ?? [];
  const [columns, rows] = [2 * width, 2 * height];
  const dark = new Uint8Array(columns * rows);
  const fill = (x: number, y: number, across: number, down: number, value: number) => {
    for (let row = 2 * y; row < 2 * (y + down); row++)
      dark.fill(value, row * columns + 2 * x, row * columns + 2 * (x + across));
  };
  const frame = /d="M0 0h\d+v\d+H0zM(\d+) \d+v(\d+)/.exec(svg);
  if (frame !== null) {
    const [edge, inner] = [Number(frame[1]), Number(frame[2])];
    fill(0, 0, width, height, 1);
    fill(edge, edge, inner, inner, 0);
  }
  for (const [, x, y, run] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    fill(Number(x), Number(y), Number(run), 1, 1);
  return { columns, rows, dark };
}

describe("the file", () => {
  const url = "https://go.example.com/summer";
  const looks: [string, Look][] = [
    ["a colour alone", { colour: "#0b3d91", logo: null, call: null }],
    ["a call", { colour: "#0b3d91", logo: null, call: "Scan <me> & go" }],
    ["a logo", { colour: "#0b3d91", logo: LOGO, call: null }],
    ["all of it", { colour: "#0b3d91", logo: LOGO, call: "詳しくはこちら" }],
  ];

  it.each(looks)("with %s is what was read back, but for the logo and the letters", (_, look) => {
    const layout = layOut(url, look);
    const { columns, rows, dark } = cellsOf(layout);
    const painted = paint(brandedSvg(url, look, 512));
    expect([painted.columns, painted.rows]).toEqual([columns, rows]);
    const { logoAt, logoModules, width } = layout;
    const isElsewhere = (at: number) => {
      const [x, y] = [(at % columns) / 2, Math.floor(at / columns) / 2];
      const isLogo = Math.min(x, y) >= logoAt && Math.max(x, y) < logoAt + logoModules;
      return !isLogo && y < width - 1;
    };
    const places = Array.from({ length: dark.length }, (_unused, at) => at).filter(isElsewhere);
    expect(places.filter((at) => dark[at] !== painted.dark[at])).toEqual([]);
    expect(places.length).toBeGreaterThan(1_000);
  });

  it.each(looks)("with %s keeps a quiet zone of four modules", (_, look) => {
    const { matrix, edge, width } = layOut(url, look);
    const { columns, dark } = cellsOf(layOut(url, look));
    const frame = look.call === null ? 0 : 1;
    const light = (x: number, y: number) => dark[2 * y * columns + 2 * x] === 0;
    for (let x = frame; x < width - frame; x++) {
      for (let y = frame; y < width - frame; y++) {
        const isCode = Math.min(x, y) >= edge && Math.max(x, y) < edge + matrix.length;
        if (!isCode) expect(light(x, y), `${x}, ${y}`).toBe(true);
      }
    }
    expect(edge - frame).toBe(4);
  });

  it("with a logo has a white square of at most 18 % of the width, and corrects as much as a code can", () => {
    for (const length of [1, 20, 40, 64, 100]) {
      const { matrix, logoModules } = layOut(`https://go.example.com/${"a".repeat(length)}`, {
        colour: "#000000",
        logo: LOGO,
        call: null,
      });
      expect(logoModules / matrix.length).toBeLessThanOrEqual(0.18);
      expect(logoModules).toBeGreaterThanOrEqual(3);
    }
  });

  it("says a call as text", () => {
    const svg = brandedSvg(url, { colour: "#0b3d91", logo: null, call: `<script>"&</script>` }, 512);
    expect(svg).not.toContain("<script");
    expect(svg).toContain(`&#60;script&#62;"&#38;&#60;/script&#62;`);
  });
});
