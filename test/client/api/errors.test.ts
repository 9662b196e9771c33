import { expect, it } from "vitest";
import { waymark } from "../../../src/client/api/client";
import { WaymarkError } from "../../../src/client/api/error";
import { cutShort, fakeService } from "../fake-service";
import { failureOf, setup } from "./setup";

const DESTINATION = "https://www.example.com/sale";

it("a refused field has a message, a code and the conflicting link", async () => {
  const { client } = setup();
  const first = await client.links.create({ destination_url: DESTINATION, slug: "summer" });
  const error = await failureOf(client.links.create({ destination_url: DESTINATION, slug: "Summer" }));

  expect(error).toBeInstanceOf(WaymarkError);
  expect(error).toMatchObject({
    name: "WaymarkError",
    message: "The slug has already been taken.",
    status: 422,
    errors: { slug: ["The slug has already been taken."] },
    codes: { slug: ["taken"] },
    conflicts: { slug: first.id },
    requestId: "request-2",
    retryAfter: undefined,
  });
});

it("a misspelt field is an error", async () => {
  const { client, service } = setup();
  const input = { destination_url: DESTINATION, tittle: "Sale" };

  expect(await failureOf(client.links.create(input))).toMatchObject({ codes: { tittle: ["unknown"] } });
  expect(service.calls[0]?.headers.get("Prefer")).toBe("handling=strict");
});

it.each([
  ["an HTML page", "<html>", "The service answered 404 without a message. Check its address."],
  ["JSON that is not an object", "[1]", "The service answered 404 without a message. Check its address."],
  [
    "fields of unexpected types",
    '{"message":"No.","errors":{"a":1,"b":["x"]},"codes":[],"conflicts":3}',
    "No.",
  ],
])("%s is also a WaymarkError", async (_, body, message) => {
  const { client, service } = setup();
  service.onCall = async () => new Response(body, { status: 404 });

  const error = await failureOf(client.tags.list());
  expect(error).toMatchObject({ status: 404, message, codes: {}, conflicts: {} });
  expect(error["errors"]).toEqual(message === "No." ? { b: ["x"] } : {});
});

it("a truncated error response is retried, and does not count as a lost response", async () => {
  const { client, service } = setup();
  service.onCall = async (_, answer) => (service.calls.length < 4 ? cutShort(await answer()) : answer());

  expect(await failureOf(client.links.delete("01JZ8Q4V6T3K9M2N5P7R8S0W1X"))).toMatchObject({
    status: 404,
    message: "Link not found.",
  });
  expect(service.calls).toHaveLength(4);
});

it("an error has the seconds of Retry-After", async () => {
  const { client, service } = setup();
  service.onCall = async () => Response.json({}, { status: 413, headers: { "Retry-After": "120" } });
  expect(await failureOf(client.tags.list())).toMatchObject({ retryAfter: 120 });
});

it("a 200 response that is never JSON fails with status 0", async () => {
  const { client, service } = setup();
  service.onCall = async () => new Response("<html>Sign in to this network</html>");

  expect(await failureOf(client.tags.list())).toMatchObject({
    status: 0,
    message: "The response of the service was not readable.",
    requestId: "request-5",
  });
});

it("a redirect is not followed, so no other host gets the key", async () => {
  const service = fakeService();
  const asked: unknown[] = [];
  const redirecting: typeof fetch = async (_, init) => {
    asked.push(init?.redirect);
    return new Response(null, { status: 302, headers: { Location: "https://elsewhere.example" } });
  };
  const client = waymark({ ...service, fetch: redirecting });

  expect(await failureOf(client.tags.list())).toMatchObject({
    status: 302,
    message: "The service answered with a redirect. Check its address.",
  });
  expect(asked).toEqual(["manual"]);
});

it.each(["lnk_secret\n2", "lnk_sécret", "", " "])(
  "a malformed key throws an error that does not contain it: %j",
  (key) => {
    const make = () => waymark({ ...fakeService(), key });
    expect(make).toThrow(new TypeError("The key must be an API key of the workspace."));
  },
);

it.each(["http://go.example.com", "http://localhost.example.com", "ftp://go.example.com"])(
  "the key is never sent unencrypted: %s",
  (url) => {
    expect(() => waymark({ ...fakeService(), url })).toThrow("must begin with https://");
  },
);

it.each(["go.example.com", "", "/api/v1"])("the address must be absolute: %j", (url) => {
  expect(() => waymark({ ...fakeService(), url })).toThrow("The url must be the address of the service.");
});

it.each([
  ["https://go.example.com", "https://go.example.com/api/v1/tags"],
  ["https://go.example.com/", "https://go.example.com/api/v1/tags"],
  ["https://go.example.com/api/v1", "https://go.example.com/api/v1/tags"],
  ["https://go.example.com/api/v1/", "https://go.example.com/api/v1/tags"],
  ["http://localhost:8787", "http://localhost:8787/api/v1/tags"],
  ["http://127.0.0.1:8787", "http://127.0.0.1:8787/api/v1/tags"],
  ["http://[::1]:8787", "http://[::1]:8787/api/v1/tags"],
])("requests go to the API of %s", async (url, called) => {
  const service = fakeService();
  await waymark({ ...service, url, key: ` ${service.key}\n` }).tags.list();
  expect(service.calls.map((call) => call.url.href)).toEqual([called]);
});
