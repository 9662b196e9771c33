import {
  eachField,
  KEY_FIELDS,
  LABEL_FIELDS,
  MOMENT_FIELDS,
  URL_FIELDS,
  UTM_DETAIL_FIELDS,
  UTM_FIELDS,
} from "../lib/link-fields";
import { UTM_NAMES } from "../lib/link-target";

export const LINK_STATUSES = ["active", "archived", "all"] as const;

export interface Input {
  /** For the help of the command and the tools of MCP. Ends without a full stop. */
  summary: string;
  /** For the tools of MCP alone, which say what a person reads in the documents. */
  details?: string;
  /** Its name in the help of the command. */
  value: "TEXT" | "SLUG" | "HOST" | "GROUP" | "ID" | "TIME" | "URL";
}

const inputs = <Fields extends Readonly<Record<string, { summary: string }>>>(
  fields: Fields,
  more: Omit<Input, "summary">,
) => eachField(fields, (name): Input => ({ summary: fields[name]?.summary ?? "", ...more }));

/** What a creation and an update of a link take, by the names of the interface, without tags. */
export const LINK_INPUTS = {
  destination_url: {
    summary: "Where the link leads",
    details: `A public http or https URL. Leave ${UTM_NAMES.join(", ")} out of it: give them as fields, and they are added at each visit`,
    value: "URL",
  },
  slug: {
    summary: "The path of the short URL",
    details:
      "1 to 64 letters, digits, - and _, beginning with a letter or digit. Matched without regard to case. Not api, app, assets, cdn-cgi, docs or health",
    value: "SLUG",
  },
  domain: {
    summary: "The host of the short URL",
    details:
      "A domain of the workspace, or the short host of the service. The same slug on two domains is two addresses",
    value: "HOST",
  },
  ...inputs(LABEL_FIELDS, { value: "TEXT" }),
  activity_group_id: { summary: "The Activity Group: a slug or ID", value: "GROUP" },
  ...inputs(KEY_FIELDS, { value: "ID" }),
  ...inputs(UTM_FIELDS, { value: "TEXT" }),
  utm_campaign: { summary: "utm_campaign; without it the group's default", value: "TEXT" },
  ...inputs(UTM_DETAIL_FIELDS, { value: "TEXT" }),
  ...inputs(MOMENT_FIELDS, {
    value: "TIME",
    details: "ISO 8601 with a zone, such as 2026-06-01T08:00:00+02:00",
  }),
  ...inputs(URL_FIELDS, { value: "URL", details: "A public http or https URL" }),
} as const satisfies Readonly<Record<string, Input>>;
