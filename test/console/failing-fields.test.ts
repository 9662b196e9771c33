import { expect, it } from "vitest";
import { makeMember } from "./browser";

const LONG = "$&".repeat(1_100);

/** What is sent to a page of a workspace, and what stands beside each of its fields. */
const FORMS: readonly (readonly [
  path: string,
  sent: Readonly<Record<string, string>>,
  beside: Readonly<Record<string, string>>,
])[] = [
  [
    "links/new",
    {
      destination_url: "",
      slug: "$&",
      title: LONG,
      external_id: LONG,
      starts_at: "$1",
      ends_at: "$1",
      ended_url: "ftp://$&",
      utm_source: LONG,
      utm_campaign: LONG,
      channel: LONG,
      note: LONG,
    },
    {
      destination_url: "Enter the destination.",
      slug: "The short link must be 1 to 64 letters, digits, hyphens or underscores and start with a letter or digit.",
      title: "The title must not have more than 255 characters.",
      external_id: "The external ID must not have more than 255 characters.",
      starts_at: "The start must be a day, or a day with a time.",
      ends_at: "The end must be a day, or a day with a time.",
      ended_url: "The address after the end must use http or https.",
      utm_source: "The source must not have more than 255 characters.",
      utm_campaign: "The campaign must not have more than 255 characters.",
      channel: "The channel must not have more than 120 characters.",
      note: "The note must not have more than 2000 characters.",
    },
  ],
  [
    "tags",
    { name: LONG, slug: "$&", description: LONG },
    {
      name: "The name must not have more than 100 characters.",
      slug: "The slug must only contain lowercase letters, digits and hyphens.",
      description: "The description must not have more than 255 characters.",
    },
  ],
  [
    "groups/new",
    { name: "", type: "$&", starts_at: "$1", ended_url: "https://10.0.0.1" },
    {
      name: "Enter the name.",
      type: "The selected type is invalid.",
      ended_url: "The address after the end must not point to an IP address.",
    },
  ],
  [
    "members",
    { email: "$&", role: "$&" },
    {
      email: "The e-mail address must be a valid email address.",
      role: "The selected role is invalid.",
    },
  ],
  [
    "channels",
    { name: "$&", utm_source: LONG, channel: LONG },
    {
      utm_source: "The source must not have more than 255 characters.",
      channel: "The channel must not have more than 120 characters.",
    },
  ],
  [
    "workspace",
    { name: "", time_zone: "$&", colour: "$&" },
    {
      name: "Enter the name.",
      time_zone: "The time zone must be the name of a time zone, such as Europe/Zurich.",
      colour: "The colour must be a colour such as #0f766e.",
    },
  ],
];

it.each(FORMS)("what is wrong with each field of %s stands beside it", async (path, sent, beside) => {
  const { workspace, browser } = await makeMember();
  const { status, text } = await browser.post(`/app/${workspace.slug}/${path}`, sent);
  expect(status).toBe(422);
  const shown = [...text.matchAll(/<p class="refused" id="(\w+)-refusal">([^<]*)<\/p>/g)];
  expect(Object.fromEntries(shown.map(([, field, said]) => [field, said]))).toMatchObject(beside);
});
