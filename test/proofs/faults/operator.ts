import type { WorkspaceContext } from "../../../src/context";
import { endTakedown, takeDown } from "../../../src/operations/moderation/takedown";
import { blockHost, unblockHost } from "../../../src/resources/destinations/blocklist";
import { resumeWorkspace, suspendWorkspace } from "../../../src/resources/workspaces/workspace-service";
import { callService, type ServiceCall } from "./bindings";

// What operators do, in the place of a request.

export const moderate = (own: WorkspaceContext, named: string, isEnd: boolean): ServiceCall =>
  callService(own, (ctx) => (isEnd ? endTakedown : takeDown)(ctx, named));

/** Suspends the context's workspace, or resumes it. */
export const suspend = (own: WorkspaceContext, isEnd: boolean): ServiceCall =>
  callService(own, (ctx) => (isEnd ? resumeWorkspace : suspendWorkspace)(ctx, own.workspace.slug));

export const block = (own: WorkspaceContext, host: string, isEnd: boolean): ServiceCall =>
  callService(own, (ctx) => (isEnd ? unblockHost : blockHost)(ctx, host));
