import type { Handler, Hono } from "hono";
import { showAudit } from "./audit/audit-page";
import { revert, showRevert } from "./audit/revert";
import { editorsOnly, fewAtOnce, ownersOnly } from "./auth/permissions";
import { editChannel, removeChannel, saveChannel, showChannel, showChannels } from "./channels/channels-page";
import { sendBrandedAsset, sendBrandedLink } from "./code-brandings/branded-file";
import { deleteCodeBranding, editCodeBranding, showCodeBranding } from "./code-brandings/branding-page";
import { saveCodeBranding, showCodeBrandings } from "./code-brandings/brandings-page";
import { saveApps } from "./domains/apps-card";
import { checkHost, removeHost, saveAddresses, showDomain } from "./domains/domain-page";
import { addHost, makePrimary, showDomains } from "./domains/domains-page";
import { editAsset, showAsset } from "./engagement/asset-page";
import { sendAssetFiles, sendAssetQr, showAssetPrint } from "./engagement/asset-print";
import { changeAssets, showAssets } from "./engagement/assets-page";
import { makeAsset, showNewAsset } from "./engagement/new-asset";
import { makeAssets, readListForm, showNewAssets } from "./engagement/several-assets";
import { showComparison } from "./groups/compare";
import { sendGroupClicks, sendGroupLinks, sendGroupOrigins } from "./groups/group-files";
import { createGroup, saveGroup, showNewGroup } from "./groups/group-form";
import { changeGroupStatus, showGroup } from "./groups/group-page";
import { showGroupPrint } from "./groups/group-print";
import { showGroups } from "./groups/groups-page";
import { discardImport, goOn, sendExample, sendExport, sendRefusedRows, undoImport } from "./imports/actions";
import { showImport } from "./imports/import-page";
import { readUpload, showImports, showUpload, upload } from "./imports/upload";
import { createKey, revokeKey, showKeys } from "./keys/keys-page";
import { redirectToIssued } from "./keys/new-key";
import { rotateKey, showRotation } from "./keys/rotate";
import { changeLinks } from "./links/bulk-change";
import { saveLink, showEdit } from "./links/edit-link";
import { showFound, showSuggestions } from "./links/find-results";
import { changeStatus, dropOldSlug, removeLink, showLink } from "./links/link-page";
import { showPreview } from "./links/link-preview";
import { sendLinksFile, showLinks } from "./links/links-page";
import { makeLink, showNewLink } from "./links/new-link";
import { undoChange } from "./links/progress";
import { sendLinkQr } from "./links/properties";
import { saveRules, showRules } from "./links/rules-page";
import { deleteView, saveView } from "./links/saved-views";
import { makeSeveral, showSeveral } from "./links/several-links";
import { sendNewSlug } from "./links/slug-field";
import { leadUnknown, showUnknown } from "./links/unknown-page";
import { showOverview } from "./overview/overview-page";
import { shorten } from "./overview/shorten";
import {
  deleteReceiver,
  saveReceiver,
  sendDeliveryAgain,
  showReceiver,
  testReceiver,
} from "./receivers/receiver-page";
import { addReceiver, showReceivers } from "./receivers/receivers-page";
import { makeSecret, redirectToReceiver } from "./receivers/secret";
import { endSharedReport, makeReport, showReports } from "./reports/share";
import { answerForm, type FormAnswer, type FormRun, type Show } from "./shell/answer-form";
import { paths } from "./shell/href";
import type { ConsoleEnv } from "./shell/page-request";
import { mergeTag, removeTag, saveTag, showTag } from "./tags/tag-page";
import { makeTag, showTags } from "./tags/tags-page";
import { readValuesForm, replaceValues, saveConventionOf } from "./values/change-values";
import { showValues } from "./values/values-page";
import { saveBranding, saveLogo, showBranding, showPagePreview } from "./workspace/branding-page";
import {
  changeMember,
  invite,
  inviteAgain,
  nameMember,
  removeMember,
  showMembers,
} from "./workspace/members-page";
import { changeWeeklyReport, saveSettings, showSettings } from "./workspace/workspace-settings";

type Guard = Handler<ConsoleEnv>;

/** Every role may look at most pages. */
const everyMember: Guard = (_, next) => next();

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

/** Paths that only take a form, which is on a page above. */
export const FORM_PATHS = new Set<string>();

/**
 * Takes a form that is on another page. A refused form leaves its address in the address bar; loading that address again
 * redirects to the next page above it.
 */
export function registerForm(app: Hono<ConsoleEnv>, path: string, ...handlers: Handler<ConsoleEnv>[]): void {
  FORM_PATHS.add(path);
  const isPage = (address: string) =>
    !FORM_PATHS.has(address) && app.routes.some((one) => one.method === "GET" && one.path === address);
  app.get(path, (c) => {
    const { pathname, search } = new URL(c.req.url);
    const parent = parentOf(pathname);
    return c.redirect((isPage(parentOf(path)) ? parent : parentOf(parent)) + search, 303);
  });
  for (const handler of handlers) app.post(path, handler);
}

/**
 * The pages, files and forms of a workspace. The first path that matches answers, so fixed paths come before those with a
 * parameter.
 */
export function registerPages(app: Hono<ConsoleEnv>): void {
  /** A form on another page, which `show` shows again if it is refused. */
  const form = (
    path: string,
    guards: readonly Guard[],
    run: FormRun,
    show?: Show,
    answer?: Omit<FormAnswer, "show">,
  ) => registerForm(app, path, ...guards, answerForm(run, { show, ...answer }));
  /** A page with a form: who may open it, and who may send the form. */
  const page = (path: string, opens: Guard, sends: Guard, show: Show, run: FormRun, answer?: FormAnswer) => {
    app.get(path, opens, show);
    app.post(path, sends, answerForm(run, { show, ...answer }));
  };

  page(paths.workspace, everyMember, editorsOnly, showOverview, shorten);

  app.get(paths.links, showLinks);
  app.get(paths.linksFile, sendLinksFile);
  form(paths.changeLinks, [editorsOnly, fewAtOnce], changeLinks, showLinks);
  form(paths.linkViews, [editorsOnly], saveView, showLinks);
  form(paths.linkView, [editorsOnly], deleteView);
  app.get(paths.findLinks, showFound);
  app.get(paths.suggestLinks, showSuggestions);
  page(paths.newLink, editorsOnly, editorsOnly, showNewLink, makeLink);
  page(paths.severalLinks, editorsOnly, editorsOnly, showSeveral, makeSeveral);
  app.post(paths.linkPreview, editorsOnly, showPreview);
  app.get(paths.newSlug, editorsOnly, sendNewSlug);
  page(paths.unknownAddresses, everyMember, editorsOnly, showUnknown, leadUnknown);
  page(paths.editLink, editorsOnly, editorsOnly, showEdit, saveLink);
  page(paths.linkRules, everyMember, editorsOnly, showRules, saveRules);
  app.get(paths.qr, sendLinkQr);
  app.get(paths.brandedQr, sendBrandedLink);
  app.get(paths.link, showLink);
  form(paths.linkStatus, [editorsOnly], changeStatus, showLink);
  form(paths.dropSlug, [ownersOnly], dropOldSlug, showLink);
  form(paths.deleteLink, [editorsOnly], removeLink, showLink);

  app.get(paths.groups, showGroups);
  page(paths.newGroup, editorsOnly, editorsOnly, showNewGroup, createGroup);
  page(paths.group, everyMember, editorsOnly, showGroup, saveGroup);
  form(paths.groupStatus, [editorsOnly], changeGroupStatus, showGroup);
  app.get(paths.compareGroup, showComparison);
  app.get(paths.groupPrint, showGroupPrint);
  app.get(paths.groupClicks, sendGroupClicks);
  app.get(paths.groupOrigins, sendGroupOrigins);
  app.get(paths.groupLinksFile, sendGroupLinks);

  app.get(paths.export, sendExport);
  app.get(paths.imports, showImports);
  app.post(paths.imports, editorsOnly, answerForm(upload, { show: showUpload, read: readUpload }));
  app.get(paths.exampleImport, sendExample);
  app.get(paths.import, showImport);
  app.get(paths.refusedRows, sendRefusedRows);
  form(paths.continueImport, [editorsOnly, fewAtOnce], goOn);
  form(paths.undoImport, [editorsOnly, fewAtOnce], undoImport, showImport);
  form(paths.discardImport, [editorsOnly], discardImport);

  page(paths.tags, everyMember, editorsOnly, showTags, makeTag);
  page(paths.tag, everyMember, editorsOnly, showTag, saveTag);
  form(paths.mergeTag, [editorsOnly], mergeTag, showTag);
  form(paths.deleteTag, [editorsOnly], removeTag);

  app.get(paths.assets, showAssets);
  page(paths.newAsset, editorsOnly, editorsOnly, showNewAsset, makeAsset);
  page(paths.newAssets, editorsOnly, editorsOnly, showNewAssets, makeAssets, { read: readListForm });
  form(paths.changeAssets, [editorsOnly], changeAssets, showAssets);
  app.get(paths.printAssets, showAssetPrint);
  app.get(paths.assetFiles, sendAssetFiles);
  app.get(paths.assetQr, sendAssetQr);
  app.get(paths.brandedAssetQr, sendBrandedAsset);
  page(paths.asset, everyMember, editorsOnly, showAsset, editAsset);

  page(paths.keys, ownersOnly, ownersOnly, showKeys, createKey, { repeat: redirectToIssued });
  page(paths.rotateKey, ownersOnly, ownersOnly, showRotation, rotateKey, {
    repeat: redirectToIssued,
  });
  form(paths.revokeKey, [ownersOnly], revokeKey);

  page(paths.domains, ownersOnly, ownersOnly, showDomains, addHost);
  page(paths.domain, ownersOnly, ownersOnly, showDomain, saveAddresses);
  form(paths.domainApps, [ownersOnly], saveApps, showDomain);
  form(paths.checkDomain, [ownersOnly], checkHost);
  form(paths.primaryDomain, [ownersOnly], makePrimary, showDomains);
  form(paths.removeDomain, [ownersOnly], removeHost, showDomain);

  page(paths.receivers, ownersOnly, ownersOnly, showReceivers, addReceiver, { repeat: redirectToReceiver });
  page(paths.receiver, ownersOnly, ownersOnly, showReceiver, saveReceiver);
  form(paths.testReceiver, [ownersOnly], testReceiver, showReceiver);
  form(paths.sendAgain, [ownersOnly], sendDeliveryAgain, showReceiver);
  form(paths.replaceSecret, [ownersOnly], makeSecret, showReceiver, { repeat: redirectToReceiver });
  form(paths.removeReceiver, [ownersOnly], deleteReceiver, showReceiver);

  page(paths.channels, editorsOnly, editorsOnly, showChannels, saveChannel);
  page(paths.channel, editorsOnly, editorsOnly, showChannel, editChannel);
  form(paths.deleteChannel, [editorsOnly], removeChannel);

  page(paths.brandings, everyMember, editorsOnly, showCodeBrandings, saveCodeBranding);
  page(paths.branding, editorsOnly, editorsOnly, showCodeBranding, editCodeBranding);
  form(paths.deleteBranding, [editorsOnly], deleteCodeBranding);

  app.get(paths.values, showValues);
  form(paths.replaceValues, [editorsOnly], replaceValues, showValues, { read: readValuesForm });
  form(paths.saveConvention, [ownersOnly], saveConventionOf, showValues);

  page(paths.reports, editorsOnly, editorsOnly, showReports, makeReport);
  form(paths.endReport, [editorsOnly], endSharedReport);

  page(paths.settings, everyMember, ownersOnly, showSettings, saveSettings);

  page(paths.pages, everyMember, ownersOnly, showBranding, saveBranding);
  app.get(paths.pagesPreview, showPagePreview);
  form(paths.pagesLogo, [ownersOnly], saveLogo, showBranding);
  form(paths.weeklyReport, [], changeWeeklyReport, showSettings);

  page(paths.members, everyMember, ownersOnly, showMembers, invite);
  form(paths.member, [ownersOnly], changeMember, showMembers);
  form(paths.memberLink, [ownersOnly], inviteAgain);
  form(paths.memberName, [ownersOnly], nameMember, showMembers);
  form(paths.removeMember, [ownersOnly], removeMember, showMembers);

  app.get(paths.audit, showAudit);
  page(paths.revertLink, editorsOnly, editorsOnly, showRevert, revert);
  form(paths.undoChange, [editorsOnly, fewAtOnce], undoChange);
}
