import { expect, it, vi } from "vitest";
import { api } from "../../src/api/app";
import { send, testEnv } from "../harness";

const ask = async (baseUrl: string) => {
  const env = { ...testEnv, BASE_URL: baseUrl };
  const answer = await send(new Request(`${baseUrl}/api/v1/openapi.json`), env);
  return { status: answer.status, type: answer.headers.get("content-type"), body: await answer.json() };
};

it("the public OpenAPI document is built once for each base URL", async () => {
  const made = vi.spyOn(api, "getOpenAPI31Document");
  const first = await ask("https://first.document.example");
  expect(await ask("https://first.document.example")).toEqual(first);
  expect(made).toHaveBeenCalledTimes(1);
  expect([first.status, first.type]).toEqual([200, "application/json"]);
  const other = await ask("https://second.document.example");
  expect(first.body).toMatchObject({ servers: [{ url: "https://first.document.example" }] });
  expect(other.body).toMatchObject({ servers: [{ url: "https://second.document.example" }] });
  made.mockRestore();
});
