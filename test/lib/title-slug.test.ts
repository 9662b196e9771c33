import { expect, it } from "vitest";
import { slugFromTitle } from "../../src/lib/title-slug";

it.each([
  ["Летняя распродажа", "letnyaya-rasprodazha"],
  ["Щука, ёж и объявление", "shchuka-ezh-i-obyavlenie"],
  ["Київ і Львів: їжа", "kiyiv-i-lviv-yizha"],
  ["Љубав и џез", "ljubav-i-dzez"],
  ["Καλοκαιρινές εκπτώσεις", "kalokairines-ekptoseis"],
  ["Του χρόνου", "tou-chronou"],
  ["Été à Zürich, Straße", "ete-a-zurich-strasse"],
  ["Sale Распродажа 2026", "sale-rasprodazha-2026"],
  ["夏のセール", ""],
  ["", ""],
  ["A very long title of a very long campaign that goes on", "a-very-long-title-of-a-very-long"],
  ["x".repeat(300), "x".repeat(40)],
])("%s proposes %s", (title, slug) => {
  expect(slugFromTitle(title)).toBe(slug);
});
