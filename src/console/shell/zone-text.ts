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

/** Large cities of a zone as German, French, Italian and Spanish have them, or that no zone is named after. */
const CITIES: Readonly<Record<string, string>> = {
  "Africa/Cairo": "Kairo, Le Caire, Il Cairo",
  "America/Los_Angeles": "San Francisco, Seattle",
  "America/Mexico_City": "Mexiko, Mexico, Ciudad de México",
  "America/New_York": "Washington, Boston, Miami, Nueva York",
  "America/Sao_Paulo": "Rio de Janeiro",
  "Asia/Jerusalem": "Tel Aviv",
  "Asia/Kolkata": "Delhi, Mumbai",
  "Asia/Shanghai": "Peking, Beijing, Pékin, Pechino, Pekín",
  "Asia/Singapore": "Singapur, Singapour",
  "Asia/Tokyo": "Tokio",
  "Europe/Amsterdam": "Rotterdam, Den Haag",
  "Europe/Athens": "Athen, Athènes, Atene, Atenas",
  "Europe/Belgrade": "Belgrad, Belgrado",
  "Europe/Berlin":
    "Berlino, München, Munich, Monaco di Baviera, Múnich, Köln, Cologne, Colonia, Hamburg, Hambourg, Amburgo, Frankfurt, Francfort, Francoforte, Stuttgart, Düsseldorf, Leipzig, Dresden, Hannover, Nürnberg",
  "Europe/Brussels": "Brüssel, Bruxelles, Brussel, Bruselas, Antwerpen",
  "Europe/Bucharest": "Bukarest, Bucarest",
  "Europe/Copenhagen": "Kopenhagen, København, Copenhague, Copenaghen",
  "Europe/Kyiv": "Kiew, Kiev",
  "Europe/Lisbon": "Lissabon, Lisboa, Lisbonne, Lisbona, Porto",
  "Europe/London": "Londres, Londra, Manchester, Edinburgh",
  "Europe/Luxembourg": "Luxemburg, Lussemburgo, Luxemburgo",
  "Europe/Madrid": "Barcelona, Barcelone, Barcellona, Sevilla, Valencia",
  "Europe/Moscow": "Moskau, Moscou, Mosca, Moscú",
  "Europe/Paris": "Parigi, Lyon, Marseille, Marsiglia, Marsella, Strasbourg, Strassburg, Bordeaux, Toulouse",
  "Europe/Prague": "Prag, Praha, Praga",
  "Europe/Rome":
    "Rom, Roma, Mailand, Milano, Milan, Turin, Torino, Neapel, Napoli, Florenz, Firenze, Bologna",
  "Europe/Vienna": "Wien, Vienne, Viena, Graz, Linz, Salzburg, Innsbruck",
  "Europe/Warsaw": "Warschau, Warszawa, Varsovie, Varsavia, Varsovia, Krakau, Kraków",
  "Europe/Zurich":
    "Zürich, Zurigo, Bern, Berne, Berna, Basel, Bâle, Genf, Genève, Geneva, Ginevra, Lausanne, Luzern, Lugano, Winterthur, St. Gallen",
};

/** By what else a zone is found: cities with commas between them. */
export const citiesOf = (zone: string): string | undefined => CITIES[zone];

export const ZONES_WITH_CITIES = Object.keys(CITIES);
