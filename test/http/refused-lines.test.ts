import { expect, it } from "vitest";
import { pass, stopClock } from "../clock";
import { API, send } from "../harness";
import { linesOf } from "../log";

stopClock();

it("refused requests write sixty lines a minute, and the next line says how many were left out", async () => {
  const refused = () => send(new Request(`${API}/api/v1/tags`));
  const lines = await linesOf(async () => {
    for (let time = 0; time < 100; time++) expect((await refused()).status).toBe(401);
    pass(60);
    await refused();
  });
  expect(lines).toHaveLength(61);
  expect(lines.at(-1)).toMatchObject({ status: 401, left_out: 40 });
});
