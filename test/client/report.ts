import type { Report } from "../../src/client/api/wire-types";

export const REPORT_URL = `https://figures.example.com/reports/${"3kq9".repeat(8)}`;

const totals = { visits: 7, clicks: 3, scans: 4, after_end: 1, bots: 1 };

/** What a service answers for a group with three posters, of which one was never scanned. */
export const REPORT: Report = {
  report: {
    ...{ title: "Summer fair", kind: "group", from: "2026-10-17", to: "2026-10-18" },
    ...{ time_zone: "Europe/Zurich", compared_from: null, compared_to: null },
    made_at: "2026-10-18T12:00:00.000Z",
  },
  totals,
  totals_before: null,
  days: [
    { day: "2026-10-17", clicks: 2, scans: 3 },
    { day: "2026-10-18", clicks: 1, scans: 1 },
  ],
  links: [{ id: "01JY", title: null, short_url: "https://go.example.com/summer", clicks: 3, scans: 4 }],
  posters: [
    { id: "01JA", name: "Poster 1", place: "Station", scans: 3 },
    { id: "01JB", name: "Poster 3", place: null, scans: 1 },
  ],
  sources: [{ name: "Direct or unknown", visits: 7 }],
  countries: [{ name: "Switzerland", visits: 7 }],
  devices: [{ name: "Desktop", visits: 7 }],
  channels: null,
};

/** A service that has this report alone, and what it was asked. */
export function reportService(answer: () => Response = () => Response.json(REPORT)) {
  const asked: Request[] = [];
  const fetchNow = async (url: string, init?: RequestInit) => {
    const request = new Request(url, init);
    asked.push(request);
    return request.url === `${REPORT_URL}.json`
      ? answer()
      : Response.json({ message: "Report not found." }, { status: 404 });
  };
  return { fetch: fetchNow as typeof fetch, asked };
}
