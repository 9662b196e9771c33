import type { Handler, Hono } from "hono";
import { showAudit } from "./audit/list";
import { revert, showRevert } from "./audit/revert";
import { editorsOnly, ownersOnly } from "./auth/permissions";
import { editChannel, removeChannel, saveChannel, showChannel, showChannels } from "./channels/page";
import { checkHost, removeHost, saveAddresses, showDomain } from "./domains/detail";
import { addHost, makePrimary, showDomains } from "./domains/list";
import { sendAssetFiles, sendAssetQr } from "./engagement/choose";
import { makeAsset, showNewAsset } from "./engagement/create";
import { editAsset, showAsset } from "./engagement/detail";
import { changeAssets, showAssets } from "./engagement/list";
import { showAssetPrint } from "./engagement/print";
import { makeAssets, readListForm, showNewAssets } from "./engagement/several";
import { showComparison } from "./groups/compare";
import { changeGroupStatus, showGroup } from "./groups/detail";
import { sendGroupClicks, sendGroupLinks, sendGroupOrigins } from "./groups/files";
import { createGroup, saveGroup, showNewGroup } from "./groups/form";
import { showGroups } from "./groups/list";
import { showGroupPrint } from "./groups/print";
import { discardImport, goOn, sendExample, sendExport, sendRefusedRows, undoImport } from "./imports/actions";
import { showImport } from "./imports/detail";
import { readUpload, showImports, showUpload, upload } from "./imports/upload";
import { createKey, revokeKey, showKeys } from "./keys/list";
import { rotateKey, showRotation } from "./keys/rotate";
import { changeLinks } from "./links/bulk-change";
import { makeLink, showNewLink } from "./links/create";
import { changeStatus, dropOldSlug, removeLink, showLink } from "./links/detail";
import { saveLink, showEdit } from "./links/edit";
import { showFound, showSuggestions } from "./links/find-results";
import { sendLinksFile, showLinks } from "./links/list";
import { showPreview } from "./links/preview";
import { undoChange } from "./links/progress";
import { sendLinkQr } from "./links/properties";
import { saveRules, showRules } from "./links/rules";
import { makeSeveral, showSeveral } from "./links/several";
import { sendNewSlug } from "./links/slug-field";
import { deleteView, saveView } from "./links/views";
import { showOverview } from "./overview/page";
import { shorten } from "./overview/shorten";
import { endSharedReport, makeReport, showReports } from "./reports/share";
import { paths } from "./shell/href";
import type { ConsoleEnv } from "./shell/request";
import { answerForm } from "./shell/request";
import { mergeTag, removeTag, saveTag, showTag } from "./tags/detail";
import { makeTag, showTags } from "./tags/list";
import { readValuesForm, replaceValues, saveConventionOf } from "./values/change";
import { showValues } from "./values/page";
import { changeMember, invite, inviteAgain, removeMember, showMembers } from "./workspace/members";
import { changeWeeklyReport, saveSettings, showSettings } from "./workspace/settings";

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
  const form = (path: string, ...handlers: Handler<ConsoleEnv>[]) => registerForm(app, path, ...handlers);

  app.get(paths.workspace, showOverview);
  app.post(paths.workspace, editorsOnly, answerForm(shorten, showOverview));

  app.get(paths.links, showLinks);
  app.get(paths.linksFile, sendLinksFile);
  form(paths.changeLinks, editorsOnly, answerForm(changeLinks, showLinks));
  form(paths.linkViews, editorsOnly, answerForm(saveView, showLinks));
  form(paths.linkView, editorsOnly, deleteView);
  app.get(paths.findLinks, showFound);
  app.get(paths.suggestLinks, showSuggestions);
  app.get(paths.newLink, editorsOnly, showNewLink);
  app.post(paths.newLink, editorsOnly, answerForm(makeLink, showNewLink));
  app.get(paths.severalLinks, editorsOnly, showSeveral);
  app.post(paths.severalLinks, editorsOnly, answerForm(makeSeveral, showSeveral));
  app.post(paths.linkPreview, editorsOnly, showPreview);
  app.get(paths.newSlug, editorsOnly, sendNewSlug);
  app.get(paths.editLink, editorsOnly, showEdit);
  app.post(paths.editLink, editorsOnly, answerForm(saveLink, showEdit));
  app.get(paths.linkRules, showRules);
  app.post(paths.linkRules, editorsOnly, answerForm(saveRules, showRules));
  app.get(paths.qr, sendLinkQr);
  app.get(paths.link, showLink);
  form(paths.linkStatus, editorsOnly, answerForm(changeStatus, showLink));
  form(paths.dropSlug, ownersOnly, answerForm(dropOldSlug, showLink));
  form(paths.deleteLink, editorsOnly, answerForm(removeLink, showLink));

  app.get(paths.groups, showGroups);
  app.get(paths.newGroup, editorsOnly, showNewGroup);
  app.post(paths.newGroup, editorsOnly, answerForm(createGroup, showNewGroup));
  app.get(paths.group, showGroup);
  app.post(paths.group, editorsOnly, answerForm(saveGroup, showGroup));
  form(paths.groupStatus, editorsOnly, answerForm(changeGroupStatus, showGroup));
  app.get(paths.compareGroup, showComparison);
  app.get(paths.groupPrint, showGroupPrint);
  app.get(paths.groupClicks, sendGroupClicks);
  app.get(paths.groupOrigins, sendGroupOrigins);
  app.get(paths.groupLinksFile, sendGroupLinks);

  app.get(paths.export, sendExport);
  app.get(paths.imports, showImports);
  app.post(paths.imports, editorsOnly, answerForm(upload, showUpload, readUpload));
  app.get(paths.exampleImport, sendExample);
  app.get(paths.import, showImport);
  app.get(paths.refusedRows, sendRefusedRows);
  form(paths.continueImport, editorsOnly, goOn);
  form(paths.undoImport, editorsOnly, answerForm(undoImport, showImport));
  form(paths.discardImport, editorsOnly, discardImport);

  app.get(paths.tags, showTags);
  app.post(paths.tags, editorsOnly, answerForm(makeTag, showTags));
  app.get(paths.tag, showTag);
  app.post(paths.tag, editorsOnly, answerForm(saveTag, showTag));
  form(paths.mergeTag, editorsOnly, answerForm(mergeTag, showTag));
  form(paths.deleteTag, editorsOnly, removeTag);

  app.get(paths.assets, showAssets);
  app.get(paths.newAsset, editorsOnly, showNewAsset);
  app.post(paths.newAsset, editorsOnly, answerForm(makeAsset, showNewAsset));
  app.get(paths.newAssets, editorsOnly, showNewAssets);
  app.post(paths.newAssets, editorsOnly, answerForm(makeAssets, showNewAssets, readListForm));
  form(paths.changeAssets, editorsOnly, answerForm(changeAssets, showAssets));
  app.get(paths.printAssets, showAssetPrint);
  app.get(paths.assetFiles, sendAssetFiles);
  app.get(paths.assetQr, sendAssetQr);
  app.get(paths.asset, showAsset);
  app.post(paths.asset, editorsOnly, answerForm(editAsset, showAsset));

  app.get(paths.keys, ownersOnly, showKeys);
  app.post(paths.keys, ownersOnly, answerForm(createKey, showKeys));
  app.get(paths.rotateKey, ownersOnly, showRotation);
  app.post(paths.rotateKey, ownersOnly, answerForm(rotateKey, showRotation));
  form(paths.revokeKey, ownersOnly, revokeKey);

  app.get(paths.domains, ownersOnly, showDomains);
  app.post(paths.domains, ownersOnly, answerForm(addHost, showDomains));
  app.get(paths.domain, ownersOnly, showDomain);
  app.post(paths.domain, ownersOnly, answerForm(saveAddresses, showDomain));
  form(paths.checkDomain, ownersOnly, checkHost);
  form(paths.primaryDomain, ownersOnly, answerForm(makePrimary, showDomains));
  form(paths.removeDomain, ownersOnly, answerForm(removeHost, showDomain));

  app.get(paths.channels, editorsOnly, showChannels);
  app.post(paths.channels, editorsOnly, answerForm(saveChannel, showChannels));
  app.get(paths.channel, editorsOnly, showChannel);
  app.post(paths.channel, editorsOnly, answerForm(editChannel, showChannel));
  form(paths.deleteChannel, editorsOnly, removeChannel);

  app.get(paths.values, showValues);
  form(paths.replaceValues, editorsOnly, answerForm(replaceValues, showValues, readValuesForm));
  form(paths.saveConvention, ownersOnly, answerForm(saveConventionOf, showValues));

  app.get(paths.reports, editorsOnly, showReports);
  app.post(paths.reports, editorsOnly, answerForm(makeReport, showReports));
  form(paths.endReport, editorsOnly, endSharedReport);

  app.get(paths.settings, showSettings);
  app.post(paths.settings, ownersOnly, answerForm(saveSettings, showSettings));

  form(paths.weeklyReport, answerForm(changeWeeklyReport, showSettings));

  app.get(paths.members, showMembers);
  app.post(paths.members, ownersOnly, answerForm(invite, showMembers));
  form(paths.member, ownersOnly, answerForm(changeMember, showMembers));
  form(paths.memberLink, ownersOnly, inviteAgain);
  form(paths.removeMember, ownersOnly, answerForm(removeMember, showMembers));

  app.get(paths.audit, showAudit);
  app.get(paths.revertLink, editorsOnly, showRevert);
  app.post(paths.revertLink, editorsOnly, answerForm(revert, showRevert));
  form(paths.undoChange, editorsOnly, undoChange);
}
