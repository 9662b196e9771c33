import { env } from "cloudflare:test";
import { recordKeyUse } from "../../../src/access/authenticate";
import { renewInvitation } from "../../../src/access/invitations";
import {
  createApiKey,
  revokeApiKey,
  revokeApiKeyAnywhere,
  revokeApiKeyByText,
  rotateApiKey,
} from "../../../src/access/keys";
import { mailSignInLink, sendLimited } from "../../../src/access/mail";
import { addMember, changeRole, removeMember, renameMember } from "../../../src/access/members";
import { askToSignIn, signInWithPasskey } from "../../../src/access/passkey-sign-in";
import {
  addPasskey,
  askForNewPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from "../../../src/access/passkeys";
import { endOtherSessions, endSession, listSessions } from "../../../src/access/session-list";
import { createSignInLink, recordUse, signOut, signOutEverywhere } from "../../../src/access/sessions";
import { signIn } from "../../../src/access/sign-in";
import {
  askForWeeklyReport,
  endWeeklyReport,
  startWeeklyReport,
  stopWeeklyReport,
  takeDueReport,
} from "../../../src/access/weekly-report";
import {
  applyAll,
  applyBeforeJob,
  applyBeforeReport,
  applyChunk,
  applyQueued,
} from "../../../src/analytics/queue";
import type { WorkspaceContext } from "../../../src/context";
import { ServiceError } from "../../../src/errors";
import { sha256Hex } from "../../../src/lib/hash";
import { deliverAlerts } from "../../../src/operations/alerts/deliver";
import { findAlerts } from "../../../src/operations/alerts/find-alerts";
import { recountWorkspaces } from "../../../src/operations/consistency/doctor";
import { discover, probeDestinations } from "../../../src/operations/health/health-job";
import { bookChecks, checkDestinations } from "../../../src/operations/moderation/checks";
import { takeDownMany } from "../../../src/operations/moderation/take-down-many";
import { endTakedown, takeDown } from "../../../src/operations/moderation/takedown";
import { recordRun } from "../../../src/operations/record-run";
import { removeExpired } from "../../../src/operations/retention/remove-expired";
import { writeDueSlugs } from "../../../src/redirect/slugs/kv-writer";
import { releaseSlug } from "../../../src/redirect/slugs/release-slug";
import { followDates } from "../../../src/resources/activity-groups/follow-dates";
import {
  createActivityGroup,
  undoGroupChange,
  updateActivityGroup,
} from "../../../src/resources/activity-groups/manage-groups";
import { findAuditEntry } from "../../../src/resources/audit/audit-service";
import { changeBranding, setLogo } from "../../../src/resources/branding/branding-service";
import {
  changeSavedChannel,
  createSavedChannel,
  listSavedChannels,
  removeSavedChannel,
} from "../../../src/resources/channels/channel-service";
import {
  changeCodeBranding,
  createCodeBranding,
  listCodeBrandings,
  removeCodeBranding,
} from "../../../src/resources/code-brandings/code-branding-service";
import { blockHost, unblockHost } from "../../../src/resources/destinations/blocklist";
import { setAppFiles } from "../../../src/resources/domains/app-files";
import { setDomainAddresses } from "../../../src/resources/domains/domain-addresses";
import { addDomain, checkDomain, setPrimaryDomain } from "../../../src/resources/domains/domain-service";
import { finishReleases, releaseDomain } from "../../../src/resources/domains/release-domain";
import { removeDomain } from "../../../src/resources/domains/remove-domain";
import { watchDomains } from "../../../src/resources/domains/watch";
import { createAsset, createAssets } from "../../../src/resources/engagement/asset-service";
import { changeAssets, undoAssets, updateAsset } from "../../../src/resources/engagement/update-asset";
import {
  changeReceiver,
  createReceiver,
  removeReceiver,
  replaceSecret,
} from "../../../src/resources/events/receivers";
import { sendAgain, sendTest } from "../../../src/resources/events/send-by-hand";
import { tellVisits } from "../../../src/resources/events/tell-visits";
import { checkFile } from "../../../src/resources/imports/check-file";
import { continueImport, continueImports } from "../../../src/resources/imports/continue-import";
import { discardImport, listImports } from "../../../src/resources/imports/import-service";
import { finishAgain, undoImport } from "../../../src/resources/imports/undo-import";
import { addSlug } from "../../../src/resources/links/add-slug";
import { changeAllLinks, changeChosenLinks } from "../../../src/resources/links/change-many";
import { createLink } from "../../../src/resources/links/create-link";
import { deleteLink } from "../../../src/resources/links/delete-link";
import { dropSlug } from "../../../src/resources/links/drop-slug";
import { createSeveral, importLinks } from "../../../src/resources/links/import-links";
import { saveConvention } from "../../../src/resources/links/link-conventions";
import { attachTagsToLink, detachTagFromLink } from "../../../src/resources/links/link-tags";
import { deleteTag, mergeTags, takeOffRemovedTags } from "../../../src/resources/links/remove-tag";
import { revertLink } from "../../../src/resources/links/revert/revert-link";
import { undoOperation } from "../../../src/resources/links/revert/undo-changes";
import { updateLink } from "../../../src/resources/links/update-link";
import { recordActiveLinks } from "../../../src/resources/overview/active-links";
import { createReport, endReport, listReports } from "../../../src/resources/reports/report-links";
import { ensureTags } from "../../../src/resources/tags/tag-names";
import { createTag, updateTag } from "../../../src/resources/tags/tag-service";
import { createView, listViews, removeView } from "../../../src/resources/views/views";
import { settleDays } from "../../../src/resources/workspaces/change-zone";
import {
  createWorkspace,
  resumeWorkspace,
  suspendWorkspace,
  updateWorkspace,
} from "../../../src/resources/workspaces/workspace-service";
import { makeDevice } from "../../authenticator";
import { makeWorkspace, type TestWorkspace } from "../../harness";

// Every function that writes, as `file:name`, by what it changes. `writes.test.ts` of the architecture finds those that are missing.

const APPS = '{"webcredentials":{"apps":["ABCDE12345.com.example.app"]}}';
const LOGO = '<svg viewBox="0 0 1 1"><path d="M0 0h1"/></svg>';

type Act<Made> = (ctx: WorkspaceContext, made: Made & { ws: TestWorkspace }) => Promise<unknown>;

export interface Subject {
  make: (ws: TestWorkspace) => Promise<object>;
  verbs: Readonly<Record<string, Act<never>>>;
}

const subject = <Made extends object>(
  make: (ws: TestWorkspace) => Promise<Made>,
  verbs: Readonly<Record<string, Act<Made>>>,
): Subject => ({ make, verbs: verbs as Subject["verbs"] });

const DESTINATION = "https://www.example.com/";

const first = async <T>(query: string, ...values: unknown[]): Promise<T> =>
  (await env.DB.prepare(query)
    .bind(...values)
    .first<T>()) as T;

const lastOperation = (ws: TestWorkspace) =>
  first<{ id: string }>(
    "select operation_id as id from audit_log where workspace_id = ? order by id desc limit 1",
    ws.ctx.workspace.rowId,
  );

const file = (name: string) => ({
  name: "file.csv",
  bytes: new TextEncoder().encode(
    `destination_url,slug\n${DESTINATION},${name}-1\n${DESTINATION},${name}-2\n`,
  ),
});

export const SUBJECTS: Readonly<Record<string, Subject>> = {
  key: subject(
    async ({ ctx }) => {
      const { id, key } = await createApiKey(ctx, { name: "key" });
      const { id: rowId } = await first<{ id: number }>("select id from api_keys where public_id = ?", id);
      return { id, key, rowId };
    },
    {
      "access/keys:createApiKey": (ctx) => createApiKey(ctx, { name: "new" }),
      "access/keys:revokeApiKey": (ctx, { id }) => revokeApiKey(ctx, id),
      "access/keys:revokeApiKeyAnywhere": (ctx, { id }) => revokeApiKeyAnywhere(ctx, id),
      "access/keys:revokeApiKeyByText": (ctx, { key }) => revokeApiKeyByText(ctx, key),
      "access/keys:rotateApiKey": (ctx, { id }) => rotateApiKey(ctx, id, { overlap_hours: 1 }),
      "access/authenticate:recordKeyUse": (ctx, { rowId }) => recordKeyUse(ctx, rowId),
    },
  ),
  member: subject(
    async ({ ctx, slug }) => {
      const [email, owner] = [`ada@${slug}.example`, `owner@${slug}.example`];
      await addMember(ctx, { email: owner, role: "owner" });
      await addMember(ctx, { email, role: "editor" });
      const place = { session: undefined, device: null, country: null };
      const session = async () => signIn(ctx, (await createSignInLink(ctx, email)).token, place);
      const current = await sha256Hex((await session()) ?? "");
      const other = (await session()) ?? "";
      const { sessions } = await listSessions(ctx, { email, current });
      const { token } = await createSignInLink(ctx, email);
      const asked = async (address: string) => {
        await askForWeeklyReport(ctx, address);
        const { report_token: text } = await first<{ report_token: string }>(
          "select report_token from members where email = ?",
          address,
        );
        return text.slice("ask:".length);
      };
      const report = await asked(email);
      await startWeeklyReport(ctx, report);
      const start = await asked(owner);
      const own = { email, current };
      const id = sessions.find(({ isCurrent }) => !isCurrent)?.id ?? "";
      const [device, next] = [await makeDevice(), await makeDevice()];
      const answer = await device.create((await askForNewPasskey(ctx, own)).challenge);
      await addPasskey(ctx, own, answer, "Phone");
      const passkey = (await listPasskeys(ctx, own)).passkeys[0]?.id ?? "";
      const added = await next.create((await askForNewPasskey(ctx, own)).challenge);
      const signed = await device.sign((await askToSignIn(ctx)).challenge);
      return { email, owner, place, own, id, other, token, report, start, passkey, added, signed };
    },
    {
      "access/members:addMember": (ctx, { ws }) =>
        addMember(ctx, { email: `new@${ws.slug}.example`, role: "viewer" }),
      "access/members:changeRole": (ctx, { email }) => changeRole(ctx, email, "owner"),
      "access/members:changeRole (an owner)": (ctx, { owner }) => changeRole(ctx, owner, "viewer"),
      "access/members:renameMember": (ctx, { email }) => renameMember(ctx, email, "Ada"),
      "access/members:removeMember": (ctx, { email }) => removeMember(ctx, email),
      "access/members:removeMember (an owner)": (ctx, { owner }) => removeMember(ctx, owner),
      "access/invitations:renewInvitation": (ctx, { email }) => renewInvitation(ctx, email),
      "access/weekly-report:askForWeeklyReport": (ctx, { owner }) => askForWeeklyReport(ctx, owner),
      "access/weekly-report:startWeeklyReport": (ctx, { start }) => startWeeklyReport(ctx, start),
      "access/weekly-report:endWeeklyReport": (ctx, { email }) => endWeeklyReport(ctx, email),
      "access/weekly-report:stopWeeklyReport": (ctx, { report }) => stopWeeklyReport(ctx, report),
      "access/weekly-report:takeDueReport": (ctx, { report }) => takeDueReport(ctx, report),
      "access/sessions:recordUse": (ctx, { email, own, place }) =>
        recordUse(ctx, { ...place, email, session: own.current, workspace: ctx.workspace.rowId }),
      "access/sessions:createSignInLink": (ctx, { email }) => createSignInLink(ctx, email),
      "access/sessions:signOut": (ctx, { other }) => signOut(ctx, other),
      "access/sessions:signOutEverywhere": (ctx, { email }) => signOutEverywhere(ctx, email),
      "access/session-list:endSession": (ctx, { own, id }) => endSession(ctx, own, id),
      "access/session-list:endOtherSessions": (ctx, { own }) => endOtherSessions(ctx, own),
      "access/passkeys:askForNewPasskey": (ctx, { own }) => askForNewPasskey(ctx, own),
      "access/passkeys:addPasskey": (ctx, { own, added }) => addPasskey(ctx, own, added, "Key"),
      "access/passkeys:renamePasskey": (ctx, { own, passkey }) =>
        renamePasskey(ctx, own, passkey, "Old phone"),
      "access/passkeys:removePasskey": (ctx, { own, passkey }) => removePasskey(ctx, own, passkey),
      "access/sign-in:startSession (by a passkey)": (ctx, { signed, place }) =>
        signInWithPasskey(ctx, signed, place),
      "access/sign-in:signIn": (ctx, { token, place }) => signIn(ctx, token, place),
      "access/mail:sendLimited": (ctx, { email }) =>
        sendLimited(ctx, email, async () => ({ subject: "A subject", text: "A text" })),
      "access/mail:mailSignInLink": (ctx, { email }) => mailSignInLink(ctx, email),
    },
  ),
  workspace: subject(async () => ({ host: `${crypto.randomUUID()}.example` }), {
    "resources/workspaces/workspace-service:createWorkspace": (ctx, { ws }) =>
      createWorkspace(ctx, { name: "Other", slug: `${ws.slug}-other` }),
    "resources/workspaces/workspace-service:updateWorkspace": (ctx) =>
      updateWorkspace(ctx, { name: "Renamed", shares_reports: false }),
    "resources/workspaces/workspace-service:suspendWorkspace": (ctx, { ws }) =>
      suspendWorkspace(ctx, ws.slug),
    "resources/workspaces/workspace-service:resumeWorkspace": (ctx, { ws }) => resumeWorkspace(ctx, ws.slug),
    "resources/branding/branding-service:changeBranding": (ctx) => changeBranding(ctx, { ended_en: "Bye" }),
    "resources/branding/branding-service:setLogo": (ctx) => setLogo(ctx, new TextEncoder().encode(LOGO)),
    "resources/links/link-conventions:saveConvention": (ctx) =>
      saveConvention(ctx, "channel", { strictness: "only", letters: "any", space: "keep", values: ["a"] }),
    "resources/destinations/blocklist:blockHost": (ctx, { host }) => blockHost(ctx, host),
    "resources/destinations/blocklist:unblockHost": (ctx, { host }) => unblockHost(ctx, host),
  }),
  "zone of a workspace": subject(
    async (ws) => {
      await createLink(ws.ctx, { destination_url: DESTINATION, ends_at: "2026-12-24" });
      await ws.group({ name: "Dated", ends_on: "2026-12-24" } as object);
      // As from a backup of another zone.
      for (const table of ["links", "activity_groups"])
        await env.DB.prepare(`update ${table} set ends_at = ends_at - 1 where workspace_id = ?`)
          .bind(ws.ctx.workspace.rowId)
          .run();
      return {};
    },
    {
      "resources/workspaces/workspace-service:updateWorkspace (zone)": (ctx) =>
        updateWorkspace(ctx, { time_zone: "Asia/Kathmandu" }),
      "resources/workspaces/change-zone:settleDays": (ctx) => settleDays(ctx, ctx.workspace.rowId),
    },
  ),
  group: subject(
    async (ws) => {
      const group = await ws.group({ name: "Spring", status: "draft" });
      await updateActivityGroup(ws.ctx, group.id, { name: "Summer" });
      const { id: operation } = await lastOperation(ws);
      const past = new Date(Date.now() - 86_400_000).toISOString();
      await ws.group({ name: "Dated", status: "draft", starts_at: past, follows_dates: true } as object);
      return { id: group.id, operation, slug: `new-${ws.slug}` };
    },
    {
      "resources/activity-groups/manage-groups:createActivityGroup": (ctx, { slug }) =>
        createActivityGroup(ctx, { name: "New", slug, type: "campaign" }),
      "resources/activity-groups/manage-groups:updateActivityGroup": (ctx, { id }) =>
        updateActivityGroup(ctx, id, { name: "Autumn", status: "active" }),
      "resources/activity-groups/manage-groups:undoGroupChange": async (ctx, { operation }) => {
        const entry = await findAuditEntry(ctx, operation);
        if (entry !== undefined) await undoGroupChange(ctx, entry);
      },
      "resources/activity-groups/follow-dates:followDates": (ctx) => followDates(ctx),
    },
  ),
  saved: subject(
    async ({ ctx }) => {
      await createSavedChannel(ctx, { name: "Mail" });
      await createView(ctx, { name: "View", query: "" });
      await createCodeBranding(ctx, { name: "Blue", colour: "#0b3d91", logo: "none" });
      const ends_on = new Date(Date.now() + 864_000_000).toISOString().slice(0, 10);
      const report = { kind: "overview", last: "30d", ends_on } as never;
      await createReport(ctx, report);
      const [channel] = await listSavedChannels(ctx);
      const [view] = await listViews(ctx);
      const [branding] = await listCodeBrandings(ctx);
      const [made] = await listReports(ctx, "overview");
      return {
        ...{ channel: channel?.id ?? "", view: view?.id ?? "", made: made?.id ?? "" },
        ...{ branding: branding?.id ?? "", report },
      };
    },
    {
      "resources/channels/channel-service:createSavedChannel": (ctx) =>
        createSavedChannel(ctx, { name: "New" }),
      "resources/channels/channel-service:changeSavedChannel": (ctx, { channel }) =>
        changeSavedChannel(ctx, channel, { name: "Letter" }),
      "resources/channels/channel-service:changeSavedChannel (to the new name)": (ctx, { channel }) =>
        changeSavedChannel(ctx, channel, { name: "New" }),
      "resources/channels/channel-service:removeSavedChannel": (ctx, { channel }) =>
        removeSavedChannel(ctx, channel),
      "resources/code-brandings/code-branding-service:createCodeBranding": (ctx) =>
        createCodeBranding(ctx, { name: "New", colour: "#0b3d91", logo: "none" }),
      "resources/code-brandings/code-branding-service:changeCodeBranding": (ctx, { branding }) =>
        changeCodeBranding(ctx, branding, { name: "Red", colour: "#7f1d1d", logo: "none", call: "Scan me" }),
      "resources/code-brandings/code-branding-service:changeCodeBranding (to the new name)": (
        ctx,
        { branding },
      ) => changeCodeBranding(ctx, branding, { name: "New", colour: "#0b3d91", logo: "none" }),
      "resources/code-brandings/code-branding-service:removeCodeBranding": (ctx, { branding }) =>
        removeCodeBranding(ctx, branding),
      "resources/views/views:createView": (ctx) => createView(ctx, { name: "New", query: "" }),
      "resources/views/views:removeView": (ctx, { view }) => removeView(ctx, view),
      "resources/reports/report-links:createReport": (ctx, { report }) => createReport(ctx, report),
      "resources/reports/report-links:endReport": (ctx, { made }) => endReport(ctx, made),
    },
  ),
  receiver: subject(
    async (ws) => {
      const { ctx } = ws;
      const input = { url: "https://hooks.example/", kinds: ["link.created" as const], is_on: true };
      const { id } = await createReceiver(ctx, { ...input, kinds: [...input.kinds, "visits.counted"] });
      await ws.link();
      await env.DB.batch([
        env.DB.prepare("update receivers set visits_from = 0 where public_id = ?").bind(id),
        env.DB.prepare("update messages set due_at = null, event = ? where workspace_id = ?").bind(
          id,
          ctx.workspace.rowId,
        ),
        env.DB.prepare(
          `insert into untold_visits (workspace_id, receiver_id, link, clicks, scans)
            select links.workspace_id, receivers.id, links.public_id, 1, 0 from receivers cross join links
            on links.workspace_id = receivers.workspace_id where receivers.public_id = ?`,
        ).bind(id),
      ]);
      return { id, input };
    },
    {
      "resources/events/receivers:createReceiver": (ctx, { input }) => createReceiver(ctx, input),
      "resources/events/receivers:changeReceiver": (ctx, { id, input }) =>
        changeReceiver(ctx, id, { ...input, is_on: false }),
      "resources/events/receivers:replaceSecret": (ctx, { id }) => replaceSecret(ctx, id),
      "resources/events/receivers:removeReceiver": (ctx, { id }) => removeReceiver(ctx, id),
      "resources/events/send-by-hand:sendTest": (ctx, { id }) => sendTest(ctx, id),
      "resources/events/send-by-hand:sendAgain": (ctx, { id }) => sendAgain(ctx, id, id),
      "resources/events/tell-visits:tellVisits": (ctx) => tellVisits(ctx),
    },
  ),
  domain: subject(
    async (ws) => {
      const hosts = ["active", "pending", "removed", "new"].map((name) => `${name}.${ws.slug}.example`);
      const [active = "", pending = "", removed = "", added = ""] = hosts;
      await addDomain(ws.ctx, active, true);
      await addDomain(ws.ctx, pending, false);
      await addDomain(ws.ctx, removed, true);
      const { id } = await ws.link({ domain: removed });
      await updateLink(ws.ctx, id, { domain: "s.example" });
      await removeDomain(ws.ctx, removed);
      return { active, pending, removed, added };
    },
    {
      "resources/domains/domain-service:addDomain": (ctx, { added }) => addDomain(ctx, added, false),
      "resources/domains/domain-service:addDomain (proved)": (ctx, { added }) => addDomain(ctx, added, true),
      "resources/domains/domain-service:addDomain (again)": (ctx, { removed }) =>
        addDomain(ctx, removed, false),
      "resources/domains/domain-service:checkDomain": (ctx, { active }) => checkDomain(ctx, active),
      "resources/domains/domain-service:checkDomain (pending)": (ctx, { pending }) =>
        checkDomain(ctx, pending),
      "resources/domains/domain-service:setPrimaryDomain": (ctx, { active }) => setPrimaryDomain(ctx, active),
      "resources/domains/domain-service:setPrimaryDomain (short host)": (ctx) =>
        setPrimaryDomain(ctx, "s.example"),
      "resources/domains/app-files:setAppFiles": (ctx, { active }) =>
        setAppFiles(ctx, active, { apple_app_site_association: APPS, assetlinks: null }),
      "resources/domains/domain-addresses:setDomainAddresses": (ctx, { active }) =>
        setDomainAddresses(ctx, active, { root_url: DESTINATION, not_found_url: null }),
      "resources/domains/remove-domain:removeDomain": (ctx, { active }) => removeDomain(ctx, active),
      "resources/domains/remove-domain:removeDomain (pending)": (ctx, { pending }) =>
        removeDomain(ctx, pending),
      "resources/domains/release-domain:releaseDomain": (ctx, { removed }) => releaseDomain(ctx, removed),
      "resources/domains/release-domain:finishReleases": (ctx) => finishReleases(ctx),
      "resources/domains/watch:watchDomains": (ctx) => watchDomains(ctx),
    },
  ),
  asset: subject(
    async (ws) => {
      const [link, other] = [await ws.link(), await ws.link()];
      const { id } = await createAsset(ws.ctx, { name: "Poster", link: link.id, status: "live" });
      const { id: second } = await createAsset(ws.ctx, { name: "Flyer", link: link.id, status: "live" });
      const { batch } = await changeAssets(ws.ctx, { ids: [id, second], status: "retired" });
      return { id, second, batch, link: link.id, other: other.id };
    },
    {
      "resources/engagement/asset-service:createAsset": (ctx, { link }) =>
        createAsset(ctx, { name: "New", link }),
      "resources/engagement/asset-service:createAssets": (ctx, { link }) =>
        createAssets(ctx, { link, assets: [{ name: "One" }, { name: "Two" }] }),
      "resources/engagement/update-asset:updateAsset": (ctx, { id, other }) =>
        updateAsset(ctx, id, { status: "live", link: other }),
      "resources/engagement/update-asset:changeAssets": (ctx, { id, second, other }) =>
        changeAssets(ctx, { ids: [id, second], link: other }),
      "resources/engagement/update-asset:undoAssets": (ctx, { batch }) => undoAssets(ctx, batch),
    },
  ),
  import: subject(
    async (ws) => {
      const idOf = (name: string) => async () => {
        await checkFile(ws.ctx, file(`${ws.slug}-${name}`));
        const [newest] = await listImports(ws.ctx);
        return newest?.id ?? "";
      };
      const [open, done] = [await idOf("open")(), await idOf("done")()];
      await addMember(ws.ctx, { email: `ada@${ws.slug}.example`, role: "editor" });
      while (!("done" in (await continueImport(ws.ctx, done)) && (await isFinished(done))));
      return { open, done };
    },
    {
      "resources/imports/check-file:checkFile": (ctx, { ws }) => checkFile(ctx, file(`${ws.slug}-new`)),
      "resources/imports/continue-import:continueImport": (ctx, { open }) => continueImport(ctx, open),
      "resources/imports/continue-import:continueImports": (ctx) => continueImports(ctx),
      "resources/imports/import-service:discardImport": (ctx, { open }) => discardImport(ctx, open),
      "resources/imports/undo-import:undoImport": (ctx, { done }) => undoImport(ctx, done),
      "resources/imports/undo-import:finishAgain": (ctx, { done }) => finishAgain(ctx, done),
      "resources/links/import-links:importLinks": (ctx, { ws }) =>
        importLinks(ctx, "lines", [
          { number: 1, input: { destination_url: DESTINATION, slug: `${ws.slug}-i` } },
        ]),
    },
  ),
  link: subject(
    async (ws) => {
      const [tag, other] = [await ws.tag({ name: "Tag" }), await ws.tag({ name: "Other" })];
      const { id, slug } = await ws.link({ tag_ids: [tag.id] });
      const taken = await ws.link();
      await takeDown(ws.ctx, taken.id);
      const ended = await ws.link();
      await deleteLink(ws.ctx, ended.id);
      await updateLink(ws.ctx, id, { slug: `${ws.slug}-own` });
      await updateLink(ws.ctx, id, { title: "Title" });
      const { id: operation } = await lastOperation(ws);
      const { slug: next } = await makeWorkspace();
      const { host } = await addDomain(ws.ctx, `own.${ws.slug}.example`, true);
      return {
        host,
        id,
        slug,
        tag: tag.id,
        other: other.id,
        taken: taken.id,
        ended: ended.slug,
        operation,
        next,
      };
    },
    {
      "resources/links/create-link:createLink": (ctx) => createLink(ctx, { destination_url: DESTINATION }),
      "resources/links/create-link:createLink (slug)": (ctx, { ws }) =>
        createLink(ctx, { destination_url: DESTINATION, slug: `${ws.slug}-new` }),
      "resources/links/import-links:createSeveral": (ctx) =>
        createSeveral(ctx, [{ destination_url: DESTINATION }, { destination_url: DESTINATION }], []),
      "resources/links/update-link:updateLink": (ctx, { id, ws }) =>
        updateLink(ctx, id, { title: "New", slug: `${ws.slug}-renamed` }),
      "resources/links/delete-link:deleteLink": (ctx, { id }) => deleteLink(ctx, id),
      "resources/links/add-slug:addSlug": (ctx, { host, slug }) => addSlug(ctx, `${host}/sumer`, slug),
      "resources/links/drop-slug:dropSlug": (ctx, { id, slug }) => dropSlug(ctx, id, slug),
      "resources/links/link-tags:attachTagsToLink": (ctx, { id, other }) =>
        attachTagsToLink(ctx, id, [other]),
      "resources/links/link-tags:detachTagFromLink": (ctx, { id, tag }) => detachTagFromLink(ctx, id, tag),
      "resources/links/change-many:changeChosenLinks": (ctx, { id }) =>
        changeChosenLinks(ctx, { ids: [id], change: "archive" }),
      "resources/links/change-many:changeAllLinks": (ctx) =>
        changeAllLinks(
          ctx,
          { status: "active", sort: "-created_at", page: 1, per_page: 25 },
          { change: "archive" },
        ),
      "resources/links/revert/revert-link:revertLink": (ctx, { operation }) => revertLink(ctx, operation),
      "resources/links/revert/undo-changes:undoOperation": async (ctx, { operation }) =>
        undoOperation(ctx, await findAuditEntry(ctx, operation)),
      "operations/moderation/takedown:takeDown": (ctx, { id }) => takeDown(ctx, id),
      "operations/moderation/take-down-many:takeDownMany": (ctx, { id, slug }) =>
        takeDownMany(ctx, { names: [id, slug] }, true),
      "operations/moderation/takedown:endTakedown": (ctx, { taken }) => endTakedown(ctx, taken),
      "redirect/slugs/release-slug:releaseSlug": (ctx, { ended, next }) => releaseSlug(ctx, ended, next),
      "resources/tags/tag-service:createTag": (ctx) => createTag(ctx, { name: "New" }),
      "resources/tags/tag-names:ensureTags": (ctx) => ensureTags(ctx, ["New", "Tag"]),
      "resources/tags/tag-service:updateTag": (ctx, { tag }) => updateTag(ctx, tag, { name: "Renamed" }),
      "resources/links/remove-tag:deleteTag": (ctx, { tag }) => deleteTag(ctx, tag),
      "resources/links/remove-tag:mergeTags": (ctx, { tag, other }) => mergeTags(ctx, tag, other),
      "resources/links/remove-tag:takeOffRemovedTags": (ctx) => takeOffRemovedTags(ctx),
    },
  ),
  jobs: subject(async (ws) => ({ link: await ws.link() }), {
    "analytics/queue:applyQueued": (ctx) => applyQueued(ctx),
    "analytics/queue:applyChunk": (ctx) => applyChunk(ctx),
    "analytics/queue:applyBeforeJob": (ctx) => applyBeforeJob(ctx),
    "analytics/queue:applyBeforeReport": (ctx) => applyBeforeReport(ctx),
    "analytics/queue:applyAll": (ctx) => applyAll(ctx),
    "operations/alerts/deliver:deliverAlerts": (ctx) => deliverAlerts(ctx),
    "operations/alerts/find-alerts:findAlerts": (ctx) => findAlerts(ctx),
    "operations/consistency/doctor:recountWorkspaces": (ctx) => recountWorkspaces(ctx),
    "operations/health/health-job:discover": (ctx) => discover(ctx),
    "operations/health/health-job:probeDestinations": (ctx) => probeDestinations(ctx),
    "operations/moderation/checks:checkDestinations": (ctx) => checkDestinations(ctx),
    "operations/moderation/checks:bookChecks": (ctx) => bookChecks(ctx),
    "operations/record-run:recordRun": (ctx) => recordRun(ctx, "minute"),
    "operations/retention/remove-expired:removeExpired": (ctx) => removeExpired(ctx),
    "redirect/slugs/kv-writer:writeDueSlugs": (ctx) => writeDueSlugs(ctx),
    "resources/overview/active-links:recordActiveLinks": (ctx) => recordActiveLinks(ctx),
  }),
};

async function isFinished(id: string): Promise<boolean> {
  const { at } = await first<{ at: number | null }>(
    "select finished_at as at from imports where public_id = ?",
    id,
  );
  return at !== null;
}

/** What makes another thing, or says again what was done, each time, as its caller asks for. */
export const MAKES_MORE: ReadonlySet<string> = new Set([
  "access/keys:createApiKey",
  "access/keys:rotateApiKey",
  "access/invitations:renewInvitation",
  "access/sessions:createSignInLink",
  "access/sessions:signOutEverywhere",
  "access/session-list:endOtherSessions",
  "access/mail:sendLimited",
  "access/mail:mailSignInLink",
  "resources/engagement/asset-service:createAsset",
  "resources/engagement/asset-service:createAssets",
  "resources/events/receivers:createReceiver",
  "resources/events/receivers:replaceSecret",
  "resources/events/send-by-hand:sendTest",
  "resources/events/send-by-hand:sendAgain",
  "resources/imports/check-file:checkFile",
  "resources/links/create-link:createLink",
  "resources/links/import-links:createSeveral",
  "resources/reports/report-links:createReport",
]);

/** A refusal by a rule is allowed. An endless conflict is not. */
export function allowRefusal(error: unknown): void {
  if (!(error instanceof ServiceError) || error.status >= 500) throw error;
}
