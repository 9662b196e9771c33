/** "Europe", "Zurich". A name without a place, such as UTC or Etc/GMT+5, is its own last part. */
const partsOf = (zone: string): readonly string[] => zone.replaceAll("_", " ").split("/");

/** A time zone as people say it, on every page: "Zurich time", "UTC". */
export function zoneText(zone: string): string {
  const [area, ...places] = partsOf(zone);
  const place = places.at(-1);
  return place === undefined || area === "Etc" ? (place ?? zone) : `${place} time`;
}

/** The same with where it is, for a list of all: "Buenos Aires time (Argentina, America)". */
export function zoneOption(zone: string): string {
  const around = partsOf(zone).toReversed().slice(1).join(", ");
  return around === "" ? zoneText(zone) : `${zoneText(zone)} (${around})`;
}
