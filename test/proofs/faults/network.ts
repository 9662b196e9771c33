import { env } from "cloudflare:test";
import { vi } from "vitest";

/** A network in which every host has the proof of its workspace, and no server answers. */
export const network = () =>
  vi.stubGlobal("fetch", async (input: URL | string) => {
    const name = new URL(String(input)).searchParams.get("name");
    if (name === null) throw new TypeError("No server answers");
    const { results } = await env.DB.prepare("select token from domains where '_waymark.' || host = ?")
      .bind(name)
      .all<{ token: string }>();
    return Response.json({ Answer: results.map(({ token }) => ({ type: 16, data: `waymark=${token}` })) });
  });
