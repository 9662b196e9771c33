import { listAlerts } from "../../alerts/list";
import { tryWebhook } from "../../alerts/try-webhook";
import { type Commands, command, NO_OPTIONS } from "./command";

export const alertCommands: Commands = {
  "alert test": command(
    "sends a test message to ALERT_WEBHOOK; with --remote the deployed Worker sends it within two minutes",
    NO_OPTIONS,
    (ctx, _, { remote }) => tryWebhook(ctx, remote),
  ),
  "alert list": command(
    "lists the last 100 alerts, and which of them were delivered",
    NO_OPTIONS,
    async (ctx) => ({ alerts: await listAlerts(ctx) }),
  ),
};
