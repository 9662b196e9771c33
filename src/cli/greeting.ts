import { signInUrl } from "../access/token";
import { DEMO_HOST } from "./demo";
import { adminHint } from "./hints";
import { LOCAL_PORT } from "./platform";

interface Greeted {
  port: number;
  /** Whether the port was chosen because the default one is in use. */
  isOtherPort: boolean;
  persistTo: string;
  demo: { created: boolean; key: string; signIn: string };
}

const FIRST_LINK = '{"destination_url":"https://www.example.com/","activity_group_id":"summer-2026"}';

/** A line that creates a link. PowerShell's `curl` may be another program, and it loses quotation marks. */
export const firstLinkCommand = (base: string, key: string, platform: NodeJS.Platform): string =>
  platform === "win32"
    ? `(Invoke-RestMethod ${base}/api/v1/links -Method Post -Headers @{ Authorization = 'Bearer ${key}' } -ContentType 'application/json' -Body '${FIRST_LINK}').link`
    : `curl -s ${base}/api/v1/links -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${FIRST_LINK}'`;

/** What `npm run dev` prints once it serves. Nothing reads the keyboard, so it can run in the background of a terminal. */
export function greeting({ port, isOtherPort, persistTo, demo }: Greeted): string {
  const base = `http://localhost:${port}`;
  const onDomain = base.replace("localhost", DEMO_HOST);
  const where = isOtherPort ? ` on port ${port}, since ${LOCAL_PORT} is in use` : "";
  return `
Waymark is running${where}.${demo.created ? ' The workspace "demo" is new: it has groups, tags and links to look at.' : ""}

  Short links   ${base}/<slug>      try ${base}/summer, or on the demo's own domain ${onDomain}/summer
  API           ${base}/api/v1      described at ${base}/docs
  Demo key      ${demo.key}
  Web           ${signInUrl(base, demo.signIn)}
                Open it in a browser: its button signs you in as the owner of "demo", once, within 15 minutes; another: ${adminHint("member sign-in --email owner@demo.example", persistTo)}

Create a link:

  ${firstLinkCommand(base, demo.key, process.platform)}

`;
}
