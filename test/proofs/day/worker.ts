import { DurableObject } from "cloudflare:workers";
import type { Scenario } from "./scenarios";
import { simulate } from "./simulate";

// A Durable Object has SQLite of its own in the same process, which is what D1 is made of.

interface Bindings {
  DAY: DurableObjectNamespace<Day>;
}

export class Day extends DurableObject<Bindings> {
  override async fetch(request: Request): Promise<Response> {
    const { migrations, scenario } = await request.json<{ migrations: string[]; scenario: Scenario }>();
    try {
      return Response.json(await simulate(this.ctx.storage, migrations, scenario));
    } catch (error) {
      return new Response((error as Error).stack, { status: 500 });
    }
  }
}

export default {
  fetch: (request, { DAY }) => DAY.get(DAY.idFromName("day")).fetch(request),
} satisfies ExportedHandler<Bindings>;
