import type { Child } from "hono/jsx";
import { here } from "./href";
import { Icon } from "./icon";
import { currentPage } from "./page-request";

const MAIN_SECTIONS = {
  overview: ["Overview", here.workspace, "chart"],
  links: ["Links", here.links, "link"],
  groups: ["Groups", here.groups, "folder"],
  assets: ["Posters", here.assets, "pin"],
  tags: ["Tags", here.tags, "tag"],
} as const;

/** They are in a navigation of their own, which "Settings" leads to. */
const SETTINGS = {
  workspace: ["Workspace", here.settings],
  people: ["People", here.members],
  values: ["Values", here.values],
  codes: ["QR codes", here.brandings],
  import: ["Import and export", here.imports],
  keys: ["API keys", here.keys],
  domains: ["Domains", here.domains],
  receivers: ["Receivers", here.receivers],
} as const;

const SECTIONS = { ...MAIN_SECTIONS, ...SETTINGS };

export type Section = keyof typeof SECTIONS;

const OF_OWNERS: ReadonlySet<string> = new Set(["keys", "domains", "receivers"]);

export const isSetting = (section: Section | undefined): boolean =>
  section !== undefined && section in SETTINGS;

interface Tab {
  label: Child;
  href: string;
  isCurrent: boolean;
}

const TabList = ({ tabs }: { tabs: readonly Tab[] }) => (
  <ul>
    {tabs.map((tab) => (
      <li>
        <a href={tab.href} aria-current={tab.isCurrent ? "page" : undefined}>
          {tab.label}
        </a>
      </li>
    ))}
  </ul>
);

/** The parts of a page that are pages of their own. */
export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => (
  <nav class="subsections" aria-label={label}>
    <TabList tabs={tabs} />
  </nav>
);

/** The pages of the settings that the person may open. */
const settingsOf = (section: Section | undefined) =>
  Object.entries(SETTINGS)
    .filter(([name]) => !OF_OWNERS.has(name) || currentPage().var.membership.role === "owner")
    .map(([name, [label, to]]) => ({ label, href: to(), isCurrent: name === section }));

/** With `isWhole`, the pages of the settings too. */
export const MainNavigation = ({ section, isWhole }: { section: Section | undefined; isWhole?: boolean }) => (
  <nav aria-label="Workspace">
    <ul>
      {Object.entries(MAIN_SECTIONS).map(([name, [label, to, icon]]) => (
        <li>
          <a href={to()} aria-current={name === section ? "page" : undefined}>
            <Icon of={icon} />
            {label}
          </a>
        </li>
      ))}
      <li>
        <a href={here.settings()} aria-current={isSetting(section) ? "true" : undefined}>
          <Icon of="settings" />
          Settings
        </a>
        {isWhole === true && <TabList tabs={settingsOf(section)} />}
      </li>
    </ul>
  </nav>
);

export const SettingsNavigation = ({ section }: { section: Section | undefined }) => (
  <Tabs label="Settings" tabs={settingsOf(section)} />
);

interface Address {
  label: string;
  href: string;
}

/** A page above this one: a section's, or another. */
export type Crumb = Section | Address;

function toAddress(crumb: Crumb): Address {
  if (typeof crumb === "object") return crumb;
  const [label, to] = SECTIONS[crumb];
  return { label, href: to() };
}

export const Breadcrumbs = ({ crumbs }: { crumbs: readonly Crumb[] }) => (
  <nav class="crumbs" aria-label="Breadcrumb">
    <ol>
      {crumbs.map(toAddress).map(({ label, href }) => (
        <li>
          <a href={href}>
            <bdi>{label}</bdi>
          </a>
        </li>
      ))}
    </ol>
  </nav>
);
