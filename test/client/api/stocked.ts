import { etagOf } from "../../../src/lib/etag";
import { type Setup, setup } from "./setup";

export const DESTINATION = "https://www.example.com/sale";

/** A workspace with two tags, a group and two links. */
export async function stocked(): Promise<Setup> {
  const one = setup();
  one.service.addGroup({ slug: "summer", default_utm_campaign: "summer_2026" });
  await one.client.tags.create({ name: "Print" });
  await one.client.tags.create({ name: "Web" });
  await one.client.links.create({ destination_url: DESTINATION, slug: "first", tag_names: ["Print"] });
  await one.client.links.create({ destination_url: DESTINATION, slug: "second" });
  one.service.calls.length = 0;
  return one;
}

export const firstLink = ({ service }: Setup) => service.state.links.find(({ slug }) => slug === "first");
export const idOf = (resource: { id: string } | undefined): string => resource?.id ?? "";
export const etagOfFirst = async (one: Setup): Promise<string> => {
  const link = firstLink(one);
  return link === undefined ? "" : etagOf(link);
};
