import type { Env } from "../src/context";
import { testEnv } from "./harness";

interface Mail {
  from: string;
  to: string;
  subject: string;
  text: string;
  headers?: Record<string, string>;
}

export const SENDER = "links@s.example";

/** A mail service that keeps what it takes, or throws `failure`, and the environment with it. */
export function mailbox(environment: Env = testEnv) {
  const mails: Mail[] = [];
  const state: { failure: unknown } = { failure: undefined };
  const MAIL = {
    send: async (mail: unknown) => {
      if (state.failure !== undefined) throw state.failure;
      mails.push(mail as Mail);
      return { messageId: "1" };
    },
  };
  return {
    mails,
    state,
    env: { ...environment, MAIL, MAIL_FROM: SENDER } satisfies Env,
    to: (address: string) => mails.filter(({ to }) => to === address),
  };
}

/** The token of the sign-in link in a mail. */
export const tokenIn = ({ text }: Pick<Mail, "text">): string =>
  /\/app\/sign-in\?token=(sgn_[0-9a-f]{64})/.exec(text)?.[1] ?? "";
