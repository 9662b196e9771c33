import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { sendMail } from "../../src/access/mail";
import { parseConfig } from "../../src/config";
import { API, testEnv } from "../harness";
import { failuresOf } from "../log";
import { mailbox, SENDER } from "../mailbox";

const MAIL = { to: "ada@people.example", subject: "A subject", text: "A text\n" };

describe("the settings of mail", () => {
  const { env: complete } = mailbox();
  const { MAIL: binding } = complete;
  it.each([
    ["neither", {}, null, null],
    ["both", { MAIL: binding, MAIL_FROM: ` ${SENDER} ` }, SENDER, null],
    ["the binding alone", { MAIL: binding, MAIL_FROM: " " }, null, "MAIL_FROM"],
    ["the sender alone", { MAIL_FROM: SENDER }, null, "MAIL"],
    ["both without an address of the service", { ...complete, BASE_URL: "" }, null, "BASE_URL"],
  ])("%s", (_, settings, from, missing) => {
    const config = parseConfig({ ...testEnv, ...settings }, API);
    expect([config.mail?.from ?? null, config.missingMailSetting]).toEqual([from, missing]);
  });
});

describe("a mail", () => {
  it("is plain text from the sender", async () => {
    const { mails, env: withMail } = mailbox();
    expect(await sendMail({ binding: withMail.MAIL, from: SENDER }, MAIL)).toBe(true);
    expect(mails).toEqual([{ from: SENDER, ...MAIL }]);
  });

  it("is taken by the local mail service, with the header that stops it", async () => {
    const mail = { binding: env.LOCAL_MAIL, from: SENDER };
    expect(await sendMail(mail, { ...MAIL, stopUrl: "https://s.example/reports/stop/x" })).toBe(true);
  });

  it("has a header that stops it only with an https address", async () => {
    const { mails, env: withMail } = mailbox();
    for (const stopUrl of ["https://s.example/stop", "http://localhost:8787/stop"])
      await sendMail({ binding: withMail.MAIL, from: SENDER }, { ...MAIL, stopUrl });
    expect(mails.map(({ headers }) => headers)).toEqual([
      {
        "List-Unsubscribe": "<https://s.example/stop>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      },
      undefined,
    ]);
  });

  it.each([
    ["address", { to: "ada@people.example\r\nBcc: all@people.example" }],
    ["subject", { subject: "A subject\nBcc: all@people.example" }],
  ])("is not sent with a line break in its %s", async (_, fields) => {
    const { mails, env: withMail } = mailbox();
    const lines = await failuresOf(async () => {
      expect(await sendMail({ binding: withMail.MAIL, from: SENDER }, { ...MAIL, ...fields })).toBe(false);
    });
    expect(mails).toEqual([]);
    expect(lines).toEqual([{ level: "error", error: "mail_not_sent", outcome: "failed" }]);
  });

  it.each([
    [Object.assign(new Error(MAIL.to), { code: "E_DAILY_LIMIT_EXCEEDED" }), "E_DAILY_LIMIT_EXCEEDED"],
    [Object.assign(new Error("no"), { code: MAIL.to }), "failed"],
    [new Error(MAIL.to), "failed"],
    [MAIL.to, "failed"],
  ])("that the service refuses is logged by its code alone (%#)", async (failure, outcome) => {
    const { state, env: withMail } = mailbox();
    state.failure = failure;
    const lines = await failuresOf(async () => {
      expect(await sendMail({ binding: withMail.MAIL, from: SENDER }, MAIL)).toBe(false);
    });
    expect(lines).toEqual([{ level: "error", error: "mail_not_sent", outcome }]);
  });
});
